/**
 * Serves browser sessions: sign-in with a link or a key, session list, sign-out, and sign-in links.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { refusal } from '../../core/problem.ts'
import { requestSeal } from '../../engine/audit/request-seal.ts'
import { browserSessionsList } from '../../engine/partition/keys.ts'
import { type StoredKey, keyOf as verifiedKey } from '../../engine/tenant/api-keys.ts'
import {
  browserSessionOf,
  createBrowserSession,
  endBrowserSession,
  findBrowserSession,
  type BrowserSession as StoredSession,
  scopesOf,
} from '../../engine/tenant/browser-sessions.ts'
import { createSignInLink, takeSignInLink } from '../../engine/tenant/sign-in-links.ts'
import { isId } from '../../lib/id.ts'
import { foreignAddress, isAddressAllowed } from '../request/admission.ts'
import { SIGN_IN } from '../request/auth.ts'
import { crossSiteSignIn, insecure, setCookie } from '../request/browser-cookie.ts'
import { clientAddress } from '../request/client-address.ts'
import { withOrigin } from '../request/origin.ts'
import { searched } from '../request/page.ts'
import { granted, RequestRefused, refuse } from '../request/problem.ts'
import { publicUrl } from '../request/public-url.ts'
import { type Api, allows, type Call, type Route, route } from '../request/route.ts'
import { checkAttempts, countFailure } from '../request/sign-in-attempts.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import {
  BrowserSession,
  SignIn,
  SignInLink,
  SignInLinkInput,
} from '../schemas/tenant/browser-sessions.ts'

const tag = 'Browsers'
const params = {
  id: "ID of the session, or `current` for the session identified by the request's cookie",
}

export function browserSessionRoutes(api: Api): void {
  signIn(api)
  all(api)
  itemRoutes(api)
  links(api)
}

type SessionCall = Pick<Call<Route>, 'c' | 'world'>

const sessionView = ({ c }: SessionCall, entry: StoredSession) => ({
  id: entry.session.id,
  object: 'browser_session' as const,
  key_id: entry.key.key_id,
  key_name: entry.key.name ?? null,
  scopes: scopesOf(entry),
  current: c.get('principal')?.browser?.id === entry.session.id,
  created_at: entry.session.created_at,
  expires_at: entry.session.expires_at,
})

const missing = () => refuse('not_found', 'Browser session not found.')

function signIn(api: Api): void {
  route(
    api,
    {
      id: 'createBrowserSession',
      method: 'post',
      path: SIGN_IN,
      tag,
      summary: 'Sign in a browser',
      description:
        'Exchanges an API key, or the token of a sign-in link, for a session whose secret is ' +
        'in an `HttpOnly` cookie. The session lasts up to twelve hours, and ends when its key ' +
        'becomes invalid. Requests from pages on other sites are rejected. Connections ' +
        'without TLS are rejected, except on loopback.',
      scope: null,
      body: SignIn,
      refusals: [401, 403, 429],
      answers: {
        201: {
          description: 'The new browser session',
          schema: BrowserSession,
          headers: ['Set-Cookie'],
        },
      },
    },
    async (call) => {
      const { c, world } = call
      const fault = insecure(c, world) ?? crossSiteSignIn(c, world)
      if (fault) throw new RequestRefused(fault)
      const address = clientAddress(c, world) ?? ''
      checkAttempts(world, address)
      const used = await exchanged(call)
      if (!used) {
        countFailure(world, address)
        throw refuse('unauthorized', 'The key or link is invalid or has expired.')
      }
      const { key, ...options } = used
      const origin = withOrigin(world, c, key)
      const created = granted(await createBrowserSession(origin, key, options))
      await requestSeal(world, key.tenant)
      const life = { secret: created.secret, seconds: LIMITS.browser_session_seconds }
      const session = { ...sessionView(call, created), current: true }
      return c.json(session, 201, setCookie(c, world, life))
    },
  )
}

/** Exchanges a sign-in credential for its key; a sign-in link then becomes invalid. */
async function exchanged({
  c,
  world,
  body,
}: Pick<Call<{ body: typeof SignIn } & Route>, 'c' | 'world' | 'body'>) {
  const admits = (key: StoredKey) => isAddressAllowed(c, world, key)
  if ('key' in body) {
    const key = await verifiedKey(world, body.key)
    if (key && !admits(key)) throw foreignAddress()
    return key && { key, how: 'by key' }
  }
  const link = await takeSignInLink(world, body.token, admits)
  if (link === 'refused') throw foreignAddress()
  return link && { key: link.key, scopes: link.scopes, how: `by link ${link.id}` }
}

function all(api: Api): void {
  route(
    api,
    {
      id: 'listBrowserSessions',
      method: 'get',
      path: SIGN_IN,
      tag,
      summary: 'List browser sessions, newest first',
      description:
        "Returns all of the tenant's active sessions, regardless of which key created them.",
      scope: 'keys:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The requested items', schema: list(BrowserSession) } },
    },
    async (call) => {
      const { c, world, tenant, query } = call
      const under = browserSessionsList(tenant)
      const result = await searched(world, under, query, async (last, room) => {
        const rows = await world.store.list(under, last, room)
        const items = rows.map(async ({ at, body }) => {
          const item = await browserSessionOf(world, body)
          return item ? [{ at, item }] : []
        })
        const endAt = rows.length < room ? undefined : rows.at(-1)?.at
        return { found: (await Promise.all(items)).flat(), reached: endAt }
      })
      return c.json({ ...result, data: result.data.map((item) => sessionView(call, item)) })
    },
  )
}

/**
 * Returns the session ID in the path; access to a session other than the cookie's requires the
 * scope.
 */
function sessionId({ c }: SessionCall, scope: 'keys:read' | 'keys:write'): string {
  const id = c.req.param('id') ?? ''
  const principal = c.get('principal')
  const ownId = principal.browser?.id
  if (id === 'current' || id === ownId) {
    if (ownId === undefined) throw missing()
    return ownId
  }
  if (!allows(principal, scope))
    throw refuse('insufficient_scope', `The key lacks the scope ${scope}.`)
  if (!isId('brs', id)) throw missing()
  return id
}

function itemRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getBrowserSession',
      method: 'get',
      path: `${SIGN_IN}/{id}`,
      params,
      tag,
      summary: 'Get a browser session',
      description:
        "Requires the scope `keys:read`, except for the session identified by the request's " +
        'cookie.',
      scope: 'any',
      answers: { 200: { description: 'The requested data', schema: BrowserSession } },
    },
    async (call) => {
      const entry = await findBrowserSession(call, sessionId(call, 'keys:read'))
      if (!entry) throw missing()
      return call.c.json(sessionView(call, entry))
    },
  )
  route(
    api,
    {
      id: 'deleteBrowserSession',
      method: 'delete',
      path: `${SIGN_IN}/{id}`,
      params,
      tag,
      summary: 'Sign out a browser',
      description:
        "The session's open streams end within five seconds, in every process. Requires the " +
        "scope `keys:write`, except for the session identified by the request's cookie.",
      scope: 'any',
      answers: { 204: { description: 'The browser is signed out', headers: ['Set-Cookie'] } },
    },
    async (call) => {
      const { c, world } = call
      const id = sessionId(call, 'keys:write')
      const isOwn = id === c.get('principal').browser?.id
      granted(await endBrowserSession(call, id, isOwn ? 'signed out' : 'revoked'))
      return c.body(null, 204, isOwn ? setCookie(c, world, { secret: '', seconds: 0 }) : undefined)
    },
  )
}

function links(api: Api): void {
  route(
    api,
    {
      id: 'createSignInLink',
      method: 'post',
      path: '/v1/sign-in-links',
      tag,
      summary: 'Create a sign-in link',
      description:
        'The link signs in one browser, once, using the key that creates the link. The token ' +
        'is in the URL fragment, so servers do not log it. Browser sessions cannot create ' +
        'links.',
      scope: 'any',
      body: SignInLinkInput,
      bodyOptional: true,
      answers: { 201: { description: 'Created', schema: SignInLink } },
    },
    async (call) => {
      const { c, world, tenant, by, body } = call
      const { scopes, browser } = c.get('principal')
      if (browser) throw new RequestRefused(refusal('insufficient_scope', NO_LINKS))
      const link = granted(await createSignInLink({ world, tenant, by, scopes }, body))
      const url = `${publicUrl(call)}/console/sign-in#t=${link.token}`
      return c.json({ object: 'sign_in_link' as const, url, expires_at: link.expires_at }, 201)
    },
  )
}

const NO_LINKS =
  'Only an API key can create sign-in links, because a browser session must not extend ' +
  'its own lifetime.'
