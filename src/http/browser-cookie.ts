/**
 * The cookie of the console, in place of a bearer key. A browser sends it by itself, so a request
 * with it must show that a page of this deployment has made it: the header `x-strata-console`,
 * which no form and no foreign page can send, and by `Sec-Fetch-Site` and `Origin`, where they are
 * sent, the same origin.
 */

import type { Context } from 'hono'
import { type Refusal, refusal } from '../core/problem.ts'
import type { World } from '../ports/world.ts'
import type { Env } from './route.ts'

export const COOKIE = 'strata_session'
export const CONSOLE_HEADER = 'x-strata-console'

type Settings = Pick<World, 'settings'>

/**
 * Browsers keep one jar for all ports of a host: two deployments beside each other would sign one
 * another out. Behind a proxy the port is that of the address which the proxy passes on.
 */
function cookieName(c: Context<Env>): string {
  const { port } = new URL(c.req.url)
  return port === '' ? COOKIE : `${COOKIE}_${port}`
}

/** The texts of all cookies of our name: more than one is nobody's honest request. */
export function sessionCookies(c: Context<Env>): readonly string[] {
  const name = cookieName(c)
  return (c.req.header('cookie') ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
}

/** `seconds`: 0 takes it away. */
export function cookieHeader(c: Context<Env>, world: Settings, text: string, seconds: number) {
  const secure = isSecure(c, world) ? '; Secure' : ''
  const name = cookieName(c)
  const value = `${name}=${text}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`
  return { 'set-cookie': value }
}

/** Why a request with a cookie is refused; undefined: a page of ours has made it. */
export function crossSite(c: Context<Env>, world: Settings): Refusal | undefined {
  if (c.req.header(CONSOLE_HEADER) === '1') return foreignPage(c, world)
  const detail = `A request with a cookie has the header \`${CONSOLE_HEADER}: 1\`, or an API key in place of the cookie.`
  return refusal('cross_site', detail)
}

/** The same by the two headers that browsers set, where they are sent. */
export function foreignPage(c: Context<Env>, world: Settings): Refusal | undefined {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') {
    return refusal('cross_site', 'A page of another site, or no page, has made this request.')
  }
  const origin = c.req.header('origin')
  if (origin === undefined || ownOrigins(c, world).includes(origin)) return undefined
  const detail =
    'The Origin of this request is not that of this deployment. Behind a proxy its operator sets ' +
    '`STRATA_PUBLIC_URL`, or `TRUSTED_PROXIES`.'
  return refusal('cross_site', detail)
}

const ownOrigins = (c: Context<Env>, { settings }: Settings): readonly string[] => [
  requestOrigin(c, { settings }),
  ...(settings.publicUrl === undefined ? [] : [settings.publicUrl]),
]

/** As the browser sees it: proxies of the operator's say whether they were asked by https. */
function requestOrigin(c: Context<Env>, { settings }: Settings): string {
  const url = new URL(c.req.url)
  const proxies = c.env?.viaEdge ? 0 : (settings.trustedProxies ?? 0)
  const forwarded = (c.req.header('x-forwarded-proto') ?? '').split(',').slice(-proxies)
  const [proto] = proxies === 0 ? [] : forwarded.map((one) => one.trim().toLowerCase())
  return proto === 'https' || proto === 'http'
    ? new URL(`${proto}://${url.host}`).origin
    : url.origin
}

function isSecure(c: Context<Env>, { settings }: Settings): boolean {
  if (requestOrigin(c, { settings }).startsWith('https:')) return true
  const { publicUrl = '' } = settings
  return publicUrl.startsWith('https:') && new URL(publicUrl).host === new URL(c.req.url).host
}
