/**
 * Checks the `Host` of requests. A browser page can map its own host name to this machine's address
 * (DNS rebinding), and links in responses contain the request's host. A request for an unlisted
 * host is therefore rejected before anything is read, and its host is never echoed.
 */

import type { MiddlewareHandler } from 'hono'
import type { Settings } from '../../ports/world.ts'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Reports whether a host name always resolves to this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname.toLowerCase())

/** Maximum number of known hosts cached without parsing; a deployment has only a few hosts. */
const MOST_SEEN = 100

/** Paths of health probes, which use a separate address and read no data. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/**
 * Creates middleware that rejects unknown hosts; `hosts` lists names for any port, or `name:port`.
 * Without `hosts`, any host is accepted, because the platform routes only the deployment's names.
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
      // The URL's host differs from the `Host` header if the request line contains a full URL.
      const [, , urlHost = ''] = c.req.url.split('/', 3)
      const sent = c.req.header('host') ?? urlHost
      if (!isOurs(urlHost) || !isOurs(sent)) throw refuse('misdirected_request', FOREIGN)
    }
    await next()
  }
}

const FOREIGN =
  "This deployment does not accept this request's host. Add the host name to " +
  'STRATA_HOSTS, or set STRATA_PUBLIC_URL.'
