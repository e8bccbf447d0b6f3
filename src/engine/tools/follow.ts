/**
 * Fetches a web address and follows its redirects; the outbound guard and the tenant's policy check
 * each address.
 */

import { LIMITS } from '../../core/limits.ts'
import { domainRefused, type Policy } from '../../core/policy.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { WebAnswer, World } from '../../ports/world.ts'

export interface Following {
  readonly world: World
  readonly policy: Policy
  readonly signal: AbortSignal
  readonly accept: string
  /** Total time-out of the request and all its redirects, in seconds. */
  readonly seconds: number
  readonly maxBytes: number
  /** Checks each address before its request; returns an error sentence if it is rejected. */
  readonly mayNot?: (url: string, timeoutMs: number) => Promise<string | undefined>
}

export interface Followed {
  /** URL after the last redirect. */
  readonly url: string
  readonly answer: WebAnswer
}

const USER_AGENT = 'Strata (an agent on behalf of a person)'

/** Removes the URL fragment, which servers never see, and upgrades the URL to HTTPS. */
export const addressOf = (url: string): string =>
  url
    .trim()
    .replace(/#.*$/s, '')
    .replace(/^http:\/\/(?!localhost|127\.|\[)/i, 'https://')

/** Explains why an address is rejected; returns undefined if it is allowed. */
export function refusedAt(
  { world, policy }: Pick<Following, 'world' | 'policy'>,
  url: string,
): string | undefined {
  if (!URL.canParse(url)) return 'not a valid address'
  return world.web.check(url) ?? domainRefused(policy, new URL(url).hostname)
}

/**
 * Returns the first response that is not a redirect, unmodified. Returns errors as a sentence that
 * contains no secrets.
 */
export async function follow(
  following: Following,
  address: string,
): Promise<Outcome<Followed, string>> {
  const { world, signal, accept, seconds, maxBytes, mayNot } = following
  const end = world.clock.monotonic() + seconds * 1_000
  const remainingMs = () => Math.floor(end - world.clock.monotonic())
  let url = address
  for (let hops = 0; hops <= LIMITS.web_redirects; hops += 1) {
    if (remainingMs() <= 0) return fail(`timed out after ${seconds} s`)
    const reason = await mayNot?.(url, remainingMs())
    if (reason !== undefined) return fail(reason)
    const headers = { accept, 'user-agent': USER_AGENT }
    const timeoutMs = Math.max(1, remainingMs())
    const answer = await world.web.send(
      { method: 'GET', url, headers, timeoutMs, maxBytes },
      signal,
    )
    if (!answer.ok) return answer
    const { location } = answer.value.headers
    const { status } = answer.value
    if (status < 300 || status >= 400 || location === undefined) {
      return ok({ url, answer: answer.value })
    }
    if (!URL.canParse(location, url)) return fail('redirect to an invalid address')
    const next = addressOf(new URL(location, url).href)
    const rejection = refusedAt(following, next)
    if (rejection !== undefined) return fail(`redirect to ${next}: ${rejection}`)
    url = next
  }
  return fail(`more than ${LIMITS.web_redirects} redirects`)
}
