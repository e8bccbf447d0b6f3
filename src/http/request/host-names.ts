/**
 * Names by which clients may reach this deployment. A page in a browser can give its own name the
 * address of this machine (DNS rebinding), and links in answers name the host of the request; so a
 * host that is not on the list is refused before anything is read, and never echoed.
 */

import type { MiddlewareHandler } from 'hono'
import type { Settings } from '../../ports/world.ts'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a name means this machine wherever it is resolved. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname.toLowerCase())

/** Known hosts that are not parsed again; there are a few, with ports. */
const MOST_SEEN = 100

/** Probes come by an address of their own and read nothing. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/**
 * `hosts`: names, each with any port, or `name:port`; absent: the platform routes only its own
 * names to the deployment, so any is taken.
 */
export function knownHost({ hosts, publicUrl }: Settings): MiddlewareHandler<Env> {
  const names = new Set(hosts?.map((name) => name.toLowerCase()))
  const ours = URL.parse(publicUrl ?? '')?.host
  const isKnown = (host: string): boolean => {
    const url = URL.parse(`http://${host}`)
    if (url?.pathname !== '/' || url.username !== '') return false
    const { hostname } = url
    const sent = host.toLowerCase()
    return isLoopback(hostname) || names.has(hostname) || names.has(sent) || sent === ours
  }
  const seenHosts = new Set<string>()
  const isOurs = (host: string): boolean => {
    if (seenHosts.has(host)) return true
    const isOwn = isKnown(host)
    if (isOwn && seenHosts.size < MOST_SEEN) seenHosts.add(host)
    return isOwn
  }
  return async function knowingHost(c, next) {
    if (hosts !== undefined && !PROBES.has(c.req.path)) {
      // They differ where the request names the whole URL.
      const [, , urlHost = ''] = c.req.url.split('/', 3)
      const sent = c.req.header('host') ?? urlHost
      if (!isOurs(urlHost) || !isOurs(sent)) throw refuse('misdirected_request', FOREIGN)
    }
    await next()
  }
}

const FOREIGN =
  'This deployment does not answer by the host of this request. List its name in STRATA_HOSTS, ' +
  'or set STRATA_PUBLIC_URL.'
