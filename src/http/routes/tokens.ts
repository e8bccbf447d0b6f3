/** Short-lived tokens: made by a key, for one run, session or approval. */

import { refusal } from '../../core/problem.ts'
import { type SubjectKind, subjectKind } from '../../core/token.ts'
import { runPartition } from '../../engine/partition/keys.ts'
import { readApproval } from '../../engine/run/approvals.ts'
import { findSession } from '../../engine/session/store.ts'
import { makeToken, tokenRefusal } from '../../engine/tenant/tokens.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { granted, Refused, refuse } from '../problem.ts'
import { type Api, route } from '../route.ts'
import { Token, TokenInput } from '../schemas/tokens.ts'
import { untilTerminal } from '../stream/wait.ts'

export function tokenRoutes(api: Api): void {
  route(
    api,
    {
      id: 'createToken',
      method: 'post',
      path: '/v1/tokens',
      tag: 'Keys',
      summary: 'Make a short-lived token',
      description:
        'For a page or a program that needs one run, session or approval and no key: ' +
        '`Authorization: Bearer <token>` opens `GET /v1/runs/{id}`, its events, transcript and ' +
        'media; `GET /v1/sessions/{id}`, its messages, runs and what a token of each of these runs ' +
        'opens; `GET /v1/approvals/{id}` and its decision. All else is refused. It counts from ' +
        'every address, until its time is over or the key that made it ends, which other ' +
        'processes notice within 30 seconds; an open stream closes within a minute. The key ' +
        'needs the scopes of what it hands on.',
      scope: 'tokens:write',
      body: TokenInput,
      refusals: [404],
      answers: { 201: { description: 'Made', schema: Token } },
    },
    async ({ c, world, tenant, by, body }) => {
      const { scopes, until } = c.get('principal')
      if (until !== undefined) throw new Refused(refusal('insufficient_scope', NOT_BY_TOKEN))
      const { for: subject, actions, expires_in_seconds } = body
      const kind = subjectKind(subject)
      if (!kind) throw wrongId()
      // Before it is looked for: a key learns nothing of what it may not read.
      const refused = tokenRefusal({ scopes }, { kind, actions })
      if (refused) throw new Refused(refused)
      if (!(await isThere(world, tenant, kind, subject))) throw missing(kind)
      const wanted = { kind, subject, actions, expires_in_seconds }
      const { token, rights } = granted(await makeToken({ world, tenant, by, scopes }, wanted))
      const shown = { for: subject, actions: rights.actions, expires_at: iso(rights.until) }
      return c.json({ id: rights.id, object: 'token' as const, token, ...shown }, 201)
    },
  )
}

const NOT_BY_TOKEN =
  'A token is made by an API key, with which it ends; yours is a token of an identity provider.'

const missing = (kind: SubjectKind) => refuse('not_found', `There is no such ${kind}.`)

function wrongId() {
  const message = 'for is the id of a run, a session or an approval'
  return refuse('invalid_request', message, { errors: [{ pointer: '/for', message }] })
}

async function isThere(
  world: World,
  tenant: string,
  kind: SubjectKind,
  id: string,
): Promise<boolean> {
  if (kind === 'session') return (await findSession(world, tenant, id)) !== undefined
  if (kind === 'approval') return (await readApproval(world, tenant, id)) !== undefined
  await untilTerminal(world, runPartition(tenant, id), 0)
  return true
}
