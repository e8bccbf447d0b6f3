/**
 * Rate limits of an API key and its tenant: charges each request to both, and reports the remaining
 * tokens.
 */

import {
  DEFAULT_RATES,
  RATE_KINDS,
  type RateKind,
  type RateLimits,
  rateOf,
} from '../../core/rate-limits.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import type { World } from '../../ports/world.ts'
import { ratePartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import type { StoredKey } from './api-keys.ts'
import { LocalMeter, type Meter, SharedMeter, type Wait } from './rate-meters.ts'

type Meters = Readonly<Record<RateKind, Meter>>

interface Metered {
  readonly meters: Meters
  /** Rate limits for which these meters were created. */
  readonly limits: RateLimits
}

export interface KeyRates {
  readonly key: Meters
  readonly tenant: Meters
  /** Value of the `RateLimit-Policy` header, which changes only with the limits. */
  readonly policy: string
}

/** Maximum number of cached meters; an evicted meter starts full. A tenant has at most 100 keys. */
const REMEMBERED = 20_000
const memoryOf = processMemory('rates', () => ({
  metered: boundedCache<Metered>(REMEMBERED),
  rates: boundedCache<KeyRates & { readonly source: StoredKey['rate_limits'] }>(REMEMBERED),
}))

/** Returns the rate limits of a key, capped by its tenant's limits. */
function limitsOf({ settings }: Pick<World, 'settings'>, keyLimits: StoredKey['rate_limits']) {
  const { key, tenant } = settings.rateLimits ?? DEFAULT_RATES
  const least = (name: keyof RateLimits) => Math.min(keyLimits?.[name] ?? key[name], tenant[name])
  return {
    requests_per_second: least('requests_per_second'),
    run_starts_per_minute: least('run_starts_per_minute'),
    body_bytes_per_second: least('body_bytes_per_second'),
  }
}

/** Returns the meters that count the requests made with this key. */
export function ratesOf(
  world: World,
  { tenant, key_id, rate_limits }: Pick<StoredKey, 'tenant' | 'key_id' | 'rate_limits'>,
): KeyRates {
  const { metered, rates } = memoryOf(world.store)
  const name = `${tenant} ${key_id}`
  const cached = rates.get(name)
  if (cached && cached.source === rate_limits) return cached
  const keyLimits = limitsOf(world, rate_limits)
  const all = tenantLimits(world)
  const fresh = {
    source: rate_limits,
    key: metersFor(world, metered, tenant, key_id, keyLimits),
    tenant: tenantMeters(world, tenant),
    policy: `${policyOf('key', keyLimits)}, ${policyOf('tenant', all)}`,
  }
  rates.set(name, fresh)
  return fresh
}

const tenantLimits = ({ settings }: Pick<World, 'settings'>): RateLimits =>
  (settings.rateLimits ?? DEFAULT_RATES).tenant

const tenantMeters = (world: World, tenant: string): Meters =>
  metersFor(world, memoryOf(world.store).metered, tenant, 'tenant', tenantLimits(world))

/**
 * Charges the tenant for a request without a key. Returns the seconds until capacity is available;
 * undefined if the request was charged.
 */
export const chargeTenant = async (
  world: World,
  tenant: string,
  kind: RateKind,
): Promise<number | undefined> => tenantMeters(world, tenant)[kind].take(1)

/** Returns the meters for these limits; if the limits change, new meters keep the old usage. */
function metersFor(
  world: World,
  metered: ReturnType<typeof boundedCache<Metered>>,
  tenant: string,
  whose: string,
  limits: RateLimits,
): Meters {
  const name = `${tenant} ${whose}`
  const previous = metered.get(name)
  if (previous && RATE_KINDS.every((kind) => isSame(previous.limits, limits, kind)))
    return previous.meters
  const meterOf = (kind: RateKind): Meter => {
    const old = previous?.meters[kind]
    if (old && isSame(previous.limits, limits, kind)) return old
    const rate = rateOf(limits, kind)
    if (world.settings.singleProcess) {
      const used = old ? old.rate.burst - old.remaining() : 0
      return new LocalMeter(world, rate, Math.max(0, rate.burst - used))
    }
    return new SharedMeter(world, ratePartition(tenant, whose, kind), rate, kind)
  }
  const meters = {
    requests: meterOf('requests'),
    run_starts: meterOf('run_starts'),
    body_bytes: meterOf('body_bytes'),
  }
  metered.set(name, { meters, limits })
  return meters
}

const isSame = (previous: RateLimits, limits: RateLimits, kind: RateKind): boolean =>
  rateOf(previous, kind).perSecond === rateOf(limits, kind).perSecond

/** Exceeded rate limit: the key's or the tenant's, and the seconds until capacity is available. */
export interface Exceeded {
  readonly whose: 'key' | 'tenant'
  readonly kind: RateKind
  readonly seconds: number
}

/** Charges a request to both the key's and the tenant's limit, or to neither. */
export function charge(
  { key, tenant }: KeyRates,
  kind: RateKind,
  cost: number,
): Exceeded | undefined | Promise<Exceeded | undefined> {
  const all = (): Exceeded | undefined | Promise<Exceeded | undefined> => {
    const wait = tenant[kind].take(cost)
    return wait instanceof Promise ? wait.then(refunding) : refunding(wait)
  }
  const refunding = (wait: Wait): Exceeded | undefined => {
    if (wait === undefined) return undefined
    key[kind].refund(cost)
    return { whose: 'tenant', kind, seconds: wait }
  }
  const after = (wait: Wait) =>
    wait === undefined ? all() : ({ whose: 'key', kind, seconds: wait } as const)
  const wait = key[kind].take(cost)
  return wait instanceof Promise ? wait.then(after) : after(wait)
}

const NAMES = { requests: 'requests', run_starts: 'run-starts', body_bytes: 'bytes' } as const
const UNITS = { requests: '', run_starts: '', body_bytes: ';qu="content-bytes"' } as const

const policyOf = (whose: string, limits: RateLimits): string =>
  RATE_KINDS.map((kind) => {
    const { burst, window } = rateOf(limits, kind)
    return `"${whose}-${NAMES[kind]}";q=${burst}${UNITS[kind]};w=${window}`
  }).join(', ')

/** Returns the `RateLimit` header value: remaining tokens, and seconds until the bucket is full. */
export function rateLimitOf({ key, tenant }: KeyRates, kinds: readonly RateKind[]): string {
  let text = ''
  for (const kind of kinds) {
    text += `${text && ', '}${levelOf('key', kind, key[kind])}, ${levelOf('tenant', kind, tenant[kind])}`
  }
  return text
}

function levelOf(whose: string, kind: RateKind, meter: Meter): string {
  const remaining = Math.max(0, Math.floor(meter.remaining()))
  const { burst, perSecond } = meter.rate
  const seconds = Math.max(0, Math.ceil((burst - remaining) / perSecond))
  return `"${whose}-${NAMES[kind]}";r=${Math.min(remaining, burst)};t=${seconds}`
}
