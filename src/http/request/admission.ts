/** Admits a request by its key: checks allowed addresses and rate limits. */

import type { Context, HonoRequest } from 'hono'
import { refusal } from '../../core/problem.ts'
import type { RateKind } from '../../core/rate-limits.ts'
import { noteUse, type Principal, readKey, type StoredKey } from '../../engine/tenant/api-keys.ts'
import {
  charge,
  type Exceeded,
  type KeyRates,
  rateLimitOf,
  ratesOf,
} from '../../engine/tenant/request-rates.ts'
import { isCovered } from '../../lib/address-range.ts'
import type { World } from '../../ports/world.ts'
import { onBytesRead } from './body.ts'
import { clientAddress } from './client-address.ts'
import type { Env } from './env.ts'
import { RequestRefused, refuse } from './problem.ts'

/**
 * Admits a request before its body is read; throws if the request is rejected. Records the use of a
 * key once per hour.
 */
export async function admitKey(c: Context<Env>, world: World, principal: Principal): Promise<void> {
  const key = principal.identity ? undefined : await readKey(world, principal.key_id)
  if (!key && !principal.identity) throw refuse('unauthorized', 'Invalid API key.')
  const rates = ratesOf(world, key ?? principal)
  c.set('rates', rates)
  const waits = charge(rates, 'requests', 1)
  const exceeded = waits instanceof Promise ? await waits : waits
  if (exceeded) throw limited(exceeded)
  if (key && !isAddressAllowed(c, world, key)) throw foreignAddress()
  await chargeBody(c, rates)
  if (key) await noteUse(world, key)
}

export const isAddressAllowed = (
  c: Context<Env>,
  world: World,
  { addresses }: StoredKey,
): boolean => addresses === undefined || isCovered(addresses, clientAddress(c, world) ?? '')

/**
 * Creates the rejection of a client address. The message omits the address, which may belong to a
 * proxy.
 */
export const foreignAddress = (): RequestRefused =>
  refuse('address_not_allowed', 'The API key does not allow requests from this address.')

/** Charges the request body to the rate limit; chunked bodies are charged while they are read. */
async function chargeBody(c: Context<Env>, rates: KeyRates): Promise<void> {
  const length = c.req.header('content-length')
  if (length === undefined && c.req.header('transfer-encoding') === undefined) return
  const bytes = Number(length) || 0
  if (bytes > 0) await take(c, 'body_bytes', bytes)
  else onBytesRead.set(c.req as HonoRequest, (read) => void charge(rates, 'body_bytes', read))
}

/** Charges a cost to the rate limits of the caller's key; throws if a limit is exceeded. */
export async function take(c: Context<Env>, kind: RateKind, cost: number): Promise<void> {
  const rates = c.get('rates')
  if (!rates || cost === 0) return
  c.set('charged', [...(c.get('charged') ?? REQUESTS), kind])
  const waits = charge(rates, kind, cost)
  const exceeded = waits instanceof Promise ? await waits : waits
  if (exceeded) throw limited(exceeded)
}

const REQUESTS: readonly RateKind[] = ['requests']
const WORDS = { requests: 'requests', run_starts: 'run starts', body_bytes: 'request body bytes' }

function limited({ whose, kind, seconds }: Exceeded): RequestRefused {
  const owner = whose === 'key' ? 'API key' : 'tenant'
  const detail = `The ${owner} has reached its limit of ${WORDS[kind]}; retry in ${seconds} s.`
  return new RequestRefused(refusal('rate_limited', detail), { 'retry-after': String(seconds) })
}

/** Sets the rate-limit headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function setRateHeaders(c: Context<Env>): void {
  const rates = c.get('rates')
  if (!rates) return
  const { headers } = c.res
  headers.set('ratelimit-policy', rates.policy)
  headers.set('ratelimit', rateLimitOf(rates, c.get('charged') ?? REQUESTS))
}
