/**
 * `robots.txt` of a site (RFC 9309): read once in 15 minutes, for all tenants. Access is allowed if
 * the file is missing or the server returns 4xx, and denied if the server fails.
 */

import robotsParser from 'robots-parser'
import { LIMITS } from '../../core/limits.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { processMemory } from '../partition/process.ts'
import type { Caller } from './tool.ts'

/** User agent whose `robots.txt` rules apply. */
const AGENT = 'Strata'
/** Minimum number of bytes of `robots.txt` that a parser must support by RFC 9309, section 2.5. */
const BYTES = 524_288
const SITES = 500
const TIMEOUT_MS = 5_000
/** The package exports the function itself, although its types declare a default export. */
const parse = robotsParser as unknown as typeof robotsParser.default

interface Rules {
  readonly allows: (url: string) => boolean
  /** Time on the monotonic clock at which the cached `robots.txt` expires. */
  readonly until: number
}
const rulesOf = processMemory('robots', () => boundedCache<Rules>(SITES))

export async function mayRead(caller: Caller, url: string, mostMs: number): Promise<boolean> {
  const { world } = caller
  const rules = rulesOf(world.objects)
  const { origin } = new URL(url)
  const cached = rules.get(origin)
  if (cached && cached.until > world.clock.monotonic()) return cached.allows(url)
  const read = await rulesAt(caller, origin, Math.min(mostMs, TIMEOUT_MS))
  rules.set(origin, { allows: read, until: world.clock.monotonic() + KEPT_MS })
  return read(url)
}
const KEPT_MS = LIMITS.web_cache_seconds * 1_000

async function rulesAt(
  { world, signal }: Caller,
  origin: string,
  timeoutMs: number,
): Promise<Rules['allows']> {
  const url = `${origin}/robots.txt`
  const headers = { 'user-agent': AGENT, accept: 'text/plain' }
  const request = { method: 'GET', url, headers, timeoutMs, maxBytes: BYTES } as const
  const answer = await world.web.send(request, signal)
  // If the site is unreachable, the page request itself fails later.
  if (!answer.ok) return () => true
  const { status, body } = answer.value
  if (status >= 500) return () => false
  if (status >= 300) return () => true
  const rules = parse(url, body)
  return (page) => rules.isAllowed(page, AGENT) !== false
}
