/** The console in a browser: signed in by an API key or a link, looked at, signed out, revoked. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { browserSessionsList } from '../../engine/partition/keys.ts'
import type { Principal, StoredKey } from '../../engine/tenant/api-keys.ts'
import {
  createBrowserSession,
  endBrowserSession,
  findBrowserSession,
  listBrowserSessions,
  type BrowserSession as Shown,
  shownBrowserSession,
} from '../../engine/tenant/browser-sessions.ts'
import { findKey } from '../../engine/tenant/manage-keys.ts'
import {
  createSignInLink,
  findSignInLink,
  takeSignInLink,
} from '../../engine/tenant/sign-in-links.ts'
import { isId } from '../../lib/id.ts'
import { SIGN_IN, welcomed } from '../auth.ts'
import { cookieHeader, foreignPage } from '../browser-cookie.ts'
import { searched } from '../page.ts'
import { granted, Refused, refuse } from '../problem.ts'
import { type Api, type Call, type Route, route } from '../route.ts'
import { BrowserSession, SignIn, SignInLink } from '../schemas/browser-sessions.ts'
import { list, pageQuery } from '../schemas/common.ts'

const tag = 'Browsers'
const CURRENT = `${SIGN_IN}/current` as const

export function browserSessionRoutes(api: Api): void {
  signIn(api)
  current(api)
  links(api)
  others(api)
}

type SignInCall = Pick<Call<Route>, 'c' | 'world'>

const shown = ({ id, ...session }: Shown) => ({
  id,
  object: 'browser_session' as const,
  ...session,
})
const missing = () => refuse('not_found', 'There is no such session of a browser.')
const unsigned = () =>
  refuse('unauthorized', 'Send `Authorization: Bearer <API key>`, or a link to sign in.')
/** The same whether it never was, was used, or is over. */
const noLink = () => refuse('unauthorized', 'The link is not valid, or no longer: it counts once.')

/** Its row: a token of an identity provider is no key and has none. */
async function keyOf(
  { world }: SignInCall,
  { tenant, key_id, until }: Principal,
): Promise<StoredKey> {
  const found = until === undefined ? await findKey({ world, tenant }, key_id) : undefined
  if (found) return found.key
  const detail = 'This is for API keys; yours is a token of an identity provider, or it has ended.'
  throw refuse('insufficient_scope', detail)
}

/** The key of the link, which no other request uses from here on. */
async function keyOfLink({ c, world }: SignInCall, token: string) {
  const foreign = foreignPage(c, world)
  if (foreign) throw new Refused(foreign)
  const found = await findSignInLink(world, token)
  if (!found) throw noLink()
  const { tenant, key_id, scopes, allowed_addresses } = found.key
  const principal = { tenant, key_id, scopes, ...(allowed_addresses && { allowed_addresses }) }
  granted(await welcomed(c, world, principal))
  if (!(await takeSignInLink(world, token))) throw noLink()
  return { key: found.key, how: `signed in by the link ${found.id}` }
}

function signIn(api: Api): void {
  route(
    api,
    {
      id: 'createBrowserSession',
      method: 'post',
      path: SIGN_IN,
      tag,
      summary: 'Sign a browser in to the console',
      description:
        'An API key is exchanged for a cookie, or a link to sign in (`POST ' +
        '/v1/browser-sessions/links`) where no key is sent. The session has the scopes, prefixes, ' +
        'addresses and rates of the key, for twelve hours; it ends with the key, by signing out, ' +
        'or when it is revoked. Tokens are not exchanged.',
      scope: 'any',
      keyless: true,
      body: SignIn,
      bodyOptional: true,
      answers: {
        201: { description: 'Signed in', schema: BrowserSession, headers: ['Set-Cookie'] },
      },
    },
    async (call) => {
      const { c, body } = call
      const principal = c.get('principal')
      if (principal && body.link !== undefined) {
        throw refuse('invalid_request', 'Send an API key or a link, not both.')
      }
      if (!principal && body.link === undefined) throw unsigned()
      const { key, how } = principal
        ? { key: await keyOf(call, principal), how: 'signed in by the key' }
        : await keyOfLink(call, body.link ?? '')
      const world = { ...call.world, request: { ...call.world.request!, by: key.key_id } }
      const { text, session } = granted(await createBrowserSession(world, key, how))
      const headers = cookieHeader(c, world, text, LIMITS.browser_session_seconds)
      return c.json(shown(shownBrowserSession(session, key)), 201, headers)
    },
  )
}

function current(api: Api): void {
  route(
    api,
    {
      id: 'getBrowserSession',
      method: 'get',
      path: CURRENT,
      tag,
      summary: 'Look at the session of this browser',
      description: 'That of the cookie; a request with a key in place of a cookie has none.',
      scope: 'any',
      refusals: [404],
      answers: { 200: { description: 'Found', schema: BrowserSession } },
    },
    async ({ c, world, tenant }) => {
      const { browser } = c.get('principal')
      const found = browser && (await findBrowserSession(world, tenant, browser.id))
      if (!found) throw missing()
      return c.json(shown(found))
    },
  )
  route(
    api,
    {
      id: 'deleteBrowserSession',
      method: 'delete',
      path: CURRENT,
      tag,
      summary: 'Sign this browser out',
      description: 'The session of the cookie is over, and the cookie is emptied.',
      scope: 'any',
      refusals: [404],
      answers: { 204: { description: 'Signed out', headers: ['Set-Cookie'] } },
    },
    async ({ c, world, tenant, by }) => {
      const { browser } = c.get('principal')
      if (!browser) throw missing()
      granted(await endBrowserSession({ world, tenant, by }, browser.id, 'signed out'))
      return c.body(null, 204, cookieHeader(c, world, '', 0))
    },
  )
}

function links(api: Api): void {
  route(
    api,
    {
      id: 'createSignInLink',
      method: 'post',
      path: `${SIGN_IN}/links`,
      tag,
      summary: 'Make a link to sign in',
      description:
        'Signs one browser in with the key that makes it, once, within ten minutes: ' +
        '`/console#link=<token>`. A browser that is signed in makes none, and no token does.',
      scope: 'any',
      answers: { 201: { description: 'Made', schema: SignInLink } },
    },
    async (call) => {
      const { c, world } = call
      const principal = c.get('principal')
      if (principal.browser) {
        const detail = 'A link is made by an API key: a signed-in browser does not prolong itself.'
        throw refuse('insufficient_scope', detail)
      }
      const key = await keyOf(call, principal)
      const { id, ...link } = granted(await createSignInLink(world, key))
      return c.json({ id, object: 'sign_in_link' as const, ...link }, 201)
    },
  )
}

function others(api: Api): void {
  route(
    api,
    {
      id: 'listBrowserSessions',
      method: 'get',
      path: SIGN_IN,
      tag,
      summary: 'List signed-in browsers, newest first',
      description: 'Those of the tenant, by whichever key; none that is over.',
      scope: 'keys:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'Found', schema: list(BrowserSession) } },
    },
    async ({ c, world, tenant, query }) => {
      const read = (last: string | undefined, room: number) =>
        listBrowserSessions(world, tenant, last, room)
      const found = await searched(world, browserSessionsList(tenant), query, read)
      return c.json({ ...found, data: found.data.map(shown) })
    },
  )
  route(
    api,
    {
      id: 'revokeBrowserSession',
      method: 'delete',
      path: `${SIGN_IN}/{id}`,
      params: { id: "The session's id, `brs_` and 26 characters" },
      tag,
      summary: 'Revoke the session of a browser',
      description: 'In other processes it counts for at most 30 seconds more.',
      scope: 'keys:write',
      answers: { 204: { description: 'Revoked' } },
    },
    async ({ c, world, tenant, by }) => {
      const id = c.req.param('id') ?? ''
      if (!isId('brs', id)) throw missing()
      granted(await endBrowserSession({ world, tenant, by }, id, 'revoked'))
      return c.body(null, 204)
    },
  )
}
