/** Rate limits of an API key and of its tenant: what a request takes of both, and what is left. */

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
  /** The limits that the meters were made for. */
  readonly limits: RateLimits
}

export interface KeyRates {
  readonly key: Meters
  readonly tenant: Meters
  /** The value of `RateLimit-Policy`, which changes with the limits only. */
  readonly policy: string
}

/** A forgotten key or tenant has a full bucket again; a tenant has at most 100 keys. */
const REMEMBERED = 20_000
const memoryOf = processMemory('rates', () => ({
  metered: boundedCache<Metered>(REMEMBERED),
  rates: boundedCache<KeyRates & { readonly source: StoredKey['rate_limits'] }>(REMEMBERED),
}))

/** A key's limits: its own where it has them, and never above those of its tenant. */
function limitsOf({ settings }: Pick<World, 'settings'>, keyLimits: StoredKey['rate_limits']) {
  const { key, tenant } = settings.rateLimits ?? DEFAULT_RATES
  const least = (name: keyof RateLimits) => Math.min(keyLimits?.[name] ?? key[name], tenant[name])
  return {
    requests_per_second: least('requests_per_second'),
    run_starts_per_minute: least('run_starts_per_minute'),
    body_bytes_per_second: least('body_bytes_per_second'),
  }
}

/** The meters that a request with this key is counted by. */
export function ratesOf(world: World, { tenant, key_id, rate_limits }: StoredKey): KeyRates {
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
 * Takes of the limits of a tenant for a request without a key. Whole seconds until there is room;
 * undefined: it was taken.
 */
export const chargeTenant = async (
  world: World,
  tenant: string,
  kind: RateKind,
): Promise<number | undefined> => tenantMeters(world, tenant)[kind].take(1)

/** The meters there are while the limits stay; what was used of a limit stays used of a new one. */
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

/** A refusal by a limit: whose it is, and whole seconds until it has room. */
export interface Exceeded {
  readonly whose: 'key' | 'tenant'
  readonly kind: RateKind
  readonly seconds: number
}

/** Takes of both limits, or of neither. */
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

/** The value of `RateLimit`: tokens that are left, and seconds until the bucket is full. */
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
