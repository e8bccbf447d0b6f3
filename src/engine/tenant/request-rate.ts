/**
 * Requests of an API key and of its tenant, each in a token bucket: a burst of ten seconds' worth,
 * then as many as flow back. Counted in this process; where several answer, each counts its own.
 */

import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import type { Principal } from './api-keys.ts'

/** Seconds of flow that a bucket holds. */
const WINDOW = 10
/** Keys and tenants that are remembered: one that is forgotten has a full bucket again. */
const REMEMBERED = 20_000

interface Bucket {
  tokens: number
  /** When they were counted, by the monotonic clock (ms). */
  at: number
}
const bucketsOf = processMemory('requests', () => new LRUCache<string, Bucket>({ max: REMEMBERED }))

/** A bucket after a request. */
interface Level {
  readonly name: 'key' | 'tenant'
  readonly quota: number
  readonly left: number
  readonly perSecond: number
}
export interface Counted {
  readonly key: Level
  readonly tenant: Level
  /** Absent: it may go on. */
  readonly refused?: Refusal
  /** Seconds until a refused request would find room. */
  readonly retry: number
}

/** Takes one request of both buckets, or none of either. */
export function countRequest(
  world: Pick<World, 'store' | 'clock' | 'settings'>,
  { tenant, key_id }: Principal,
): Counted {
  const now = world.clock.monotonic()
  const { keyRequests, tenantRequests } = world.settings
  const keyRate = keyRequests ?? LIMITS.key_requests_per_second
  const rate = tenantRequests ?? LIMITS.requests_per_second
  const buckets = bucketsOf(world.store)
  const key = flowed(buckets, `${tenant} ${key_id}`, keyRate, now)
  const all = flowed(buckets, tenant, rate, now)
  if (key.tokens >= 1 && all.tokens >= 1) {
    key.tokens -= 1
    all.tokens -= 1
    return { key: levelOf('key', key, keyRate), tenant: levelOf('tenant', all, rate), retry: 0 }
  }
  const [empty, perSecond] = key.tokens < 1 ? [key, keyRate] : [all, rate]
  const retry = Math.max(1, Math.ceil((1 - empty.tokens) / perSecond))
  const whose = empty === key ? 'API key' : 'tenant'
  const detail = `This ${whose} has sent more than ${perSecond} requests a second. Try again in ${retry} s.`
  return {
    ...{ key: levelOf('key', key, keyRate), tenant: levelOf('tenant', all, rate) },
    ...{ refused: refusal('rate_limited', detail), retry },
  }
}

function flowed(buckets: LRUCache<string, Bucket>, id: string, perSecond: number, now: number) {
  const quota = perSecond * WINDOW
  const bucket = buckets.get(id)
  if (!bucket) {
    const full = { tokens: quota, at: now }
    buckets.set(id, full)
    return full
  }
  bucket.tokens = Math.min(quota, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond)
  bucket.at = now
  return bucket
}

const levelOf = (name: Level['name'], { tokens }: Bucket, perSecond: number): Level => ({
  ...{ name, perSecond, quota: perSecond * WINDOW, left: Math.floor(tokens) },
})

/** `RateLimit-Policy` and `RateLimit` as draft-ietf-httpapi-ratelimit-headers-10 has them. */
export const rateHeaders = ({ key, tenant }: Counted): readonly (readonly [string, string])[] => [
  ['ratelimit-policy', `${policyOf(key)}, ${policyOf(tenant)}`],
  ['ratelimit', `${stateOf(key)}, ${stateOf(tenant)}`],
]
const policyOf = ({ name, quota }: Level): string => `"${name}";q=${quota};w=${WINDOW}`
const stateOf = ({ name, quota, left, perSecond }: Level): string =>
  `"${name}";r=${left};t=${Math.ceil((quota - left) / perSecond)}`
