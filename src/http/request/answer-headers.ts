/** Sets headers on every response that restrict how browsers use the response. */

import type { Context } from 'hono'
import { isLoopback } from './host-names.ts'
import type { Env } from './route.ts'

/** HSTS header value for one year, as preload lists require. */
const HSTS = 'max-age=31536000; includeSubDomains'

/**
 * Default response headers. A response's specific header takes precedence, because pages allow
 * their own scripts and styles.
 */
const TABLE: readonly (readonly [string, string])[] = [
  ['content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
]

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function withAnswerHeaders(c: Context<Env>, publicUrl: string | undefined): void {
  const { headers } = c.res
  for (const [name, value] of TABLE) if (!headers.has(name)) headers.set(name, value)
  // The response to a write may contain a secret that is shown only once.
  if (!READS.has(c.req.method) && !headers.has('cache-control')) {
    headers.set('cache-control', 'no-store')
  }
  const ownUrl = publicUrl ?? c.req.url
  if (ownUrl.startsWith('https:') && !isLoopback(new URL(ownUrl).hostname)) {
    headers.set('strict-transport-security', HSTS)
  }
}
