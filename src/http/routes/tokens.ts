/**
 * Serves tokens, which are derived from a key for one run, session, fan-out, or approval, or for
 * reading the tenant's data.
 */

import type { TokenKind } from '../../core/token.ts'
import { makeToken, scopesRefusal } from '../../engine/tenant/tokens.ts'
import { iso } from '../../lib/time.ts'
import { granted, RequestRefused } from '../request/problem.ts'
import { type Api, route } from '../request/route.ts'
import { checkSubject } from '../request/token-reach.ts'
import { Token, TokenInput } from '../schemas/tenant/tokens.ts'

export function tokenRoutes(api: Api): void {
  route(
    api,
    {
      id: 'createToken',
      method: 'post',
      path: '/v1/tokens',
      tag: 'Keys',
      summary: 'Create a short-lived token',
      description:
        'Creates a credential for a page or a script, with no more rights than the API key ' +
        'that creates it. Send the token as `Authorization: Bearer`, or as `?token=` for ' +
        'event streams and downloads. The token grants access to its subject and the ' +
        "subject's descendants; any other ID returns 'not found', and other routes reject the " +
        'token. The token becomes invalid when it expires or its key becomes invalid, in ' +
        'every process and on open streams within 5 seconds. A token that a browser session ' +
        'creates also becomes invalid when that session ends. Tokens cannot create tokens or ' +
        'keys.',
      scope: 'any',
      body: TokenInput,
      refusals: [404],
      answers: { 201: { description: 'Created', schema: Token } },
    },
    async ({ c, world, tenant, by, body }) => {
      const { scopes, browser } = c.get('principal')
      const [kind, subject] = subjectOf(body.for)
      // Scopes are checked before the subject is read, so a key reveals nothing beyond its read
      // access.
      const refusal = scopesRefusal({ scopes }, kind, body.scopes)
      if (refusal) throw new RequestRefused(refusal)
      await checkSubject(world, tenant, kind, subject)
      const tokenRequest = {
        ...{ kind, subject, scopes: body.scopes },
        ...{ expires_in: body.expires_in, ends: browser?.expires_at },
      }
      const created = granted(await makeToken({ world, tenant, by, scopes }, tokenRequest))
      return c.json(
        {
          ...{ id: created.id, object: 'token', token: created.token, for: body.for },
          ...{ scopes: created.scopes, expires_at: iso(created.until) },
        },
        201,
      )
    },
  )
}

/** Returns the kind and ID in `for`, which has a single member. */
function subjectOf(target: TokenInput['for']): readonly [TokenKind, string] {
  const [[kind, subject] = ['tenant', true]] = Object.entries(target)
  return [kind as TokenKind, subject === true ? '' : subject]
}
