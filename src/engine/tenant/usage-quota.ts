/**
 * Tokens and dollars of a tenant or an API key per day and month. A model call reserves its maximum
 * cost before it begins, and its actual cost replaces the reservation, both in one row: used and
 * reserved amounts together never exceed a quota, however many calls begin at once. A call whose
 * worker failed counts with its reservation.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Price } from '../../core/policy.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { listPrice } from '../../core/run/state/budget.ts'
import {
  limitsUsage,
  QUOTA_UNITS,
  type TenantQuotas,
  USAGE_QUOTAS,
  type UsageQuota,
} from '../../core/tenant-quotas.ts'
import { dayOf, iso, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { changeRow, type RowChange } from '../partition/change-row.ts'
import { stored } from '../partition/stored.ts'
import { nounOf, ownerOf, type QuotaOwner, quotaRow } from './quota-owner.ts'

export interface Amount {
  readonly tokens: number
  /** List price in US dollars. */
  readonly dollars: number
}

interface Reserved extends Amount {
  /** Time at which the reservation counts as used, in milliseconds since 1970. */
  readonly until: number
}

interface Usage {
  /** Day of the counts in UTC, such as `2026-11-23`. */
  readonly day: string
  readonly of_day: Amount
  readonly of_month: Amount
  readonly reserved: Readonly<Record<string, Reserved>>
}

/** State of one quota; used and reserved amounts are in its unit. */
export interface QuotaLevel {
  readonly quota: UsageQuota
  readonly unit: keyof Amount
  readonly limit: number
  readonly used: number
  readonly reserved: number
  /** Time at which the count starts again, in milliseconds since 1970. */
  readonly resets_at: number
}

export const ZERO: Amount = { tokens: 0, dollars: 0 }
const DAY_MS = 86_400_000
/** Maximum difference between the clocks of two processes, in milliseconds. */
const CLOCKS_MS = 60_000
const MONTH_LENGTH = 'YYYY-MM'.length
const MILLION = 1_000_000
/** Dollars are rounded to nine digits, so that sums have no binary fractions. */
const DIGITS = 1e9

const plus = (left: Amount, right: Amount): Amount => ({
  tokens: left.tokens + right.tokens,
  dollars: Math.round((left.dollars + right.dollars) * DIGITS) / DIGITS,
})

const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce(plus, ZERO)

/** Returns the usage at a time: periods that have ended and reservations that expired are folded. */
function usageAt(body: string | undefined, now: number): Usage {
  const today = dayOf(now)
  if (body === undefined) return { day: today, of_day: ZERO, of_month: ZERO, reserved: {} }
  const last = stored<Usage>('the usage of a tenant', body, {
    ...{ day: 'string', of_day: 'object', of_month: 'object', reserved: 'object' },
  })
  // A clock that is behind must not return to a day that has ended for another process.
  const day = last.day === dayOf(now + CLOCKS_MS) ? last.day : today
  const entries = Object.entries(last.reserved)
  const expired = sumOf(entries.filter(([, { until }]) => until <= now).map(([, amount]) => amount))
  const isSameMonth = last.day.slice(0, MONTH_LENGTH) === day.slice(0, MONTH_LENGTH)
  return {
    day,
    of_day: plus(last.day === day ? last.of_day : ZERO, expired),
    of_month: plus(isSameMonth ? last.of_month : ZERO, expired),
    reserved: Object.fromEntries(entries.filter(([, { until }]) => until > now)),
  }
}

function levelsOf(quotas: TenantQuotas, usage: Usage, now: number): readonly QuotaLevel[] {
  const reserved = sumOf(Object.values(usage.reserved))
  const at = Math.max(now, parseTime(usage.day)!)
  return (Object.keys(USAGE_QUOTAS) as UsageQuota[]).flatMap((quota) => {
    const limit = quotas[quota]
    if (limit === undefined) return []
    const [unit, period] = USAGE_QUOTAS[quota]
    const used = (period === 'day' ? usage.of_day : usage.of_month)[unit]
    return [{ quota, unit, limit, used, reserved: reserved[unit], resets_at: endOf(period, at) }]
  })
}

function endOf(period: 'day' | 'month', now: number): number {
  if (period === 'day') return parseTime(dayOf(now))! + DAY_MS
  const [year = 0, month = 0] = dayOf(now).split('-').map(Number)
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`
  return parseTime(`${next}-01`)!
}

const rowOf = (owner: QuotaOwner): string => quotaRow(owner, 'usage')

export async function quotaLevels(
  { store, clock }: World,
  owner: QuotaOwner,
): Promise<readonly QuotaLevel[]> {
  if (!limitsUsage(owner.quotas)) return []
  const [row] = await store.heads([rowOf(owner)])
  const now = clock.now()
  return levelsOf(owner.quotas, usageAt(row?.body, now), now)
}

/** Rejects new work while a quota is used up; undefined otherwise, without a read if none is set. */
export async function usageRefusal(world: World, owner: QuotaOwner): Promise<Refusal | undefined> {
  const levels = await quotaLevels(world, owner)
  const full = levels.find(({ used, limit }) => used >= limit)
  return full && exceeded(owner, full, world.clock.now())
}

function exceeded(
  owner: QuotaOwner,
  { quota, limit, used, resets_at }: QuotaLevel,
  now: number,
): Refusal {
  const resetTime = iso(resets_at)
  const remainder =
    used < limit ? 'the remainder is less than a model call may need' : 'none remain'
  const detail =
    `The ${nounOf(owner)} can use at most ${limit} ${QUOTA_UNITS[quota]}; ${used} are used, and ${remainder}. ` +
    `The count starts again at ${resetTime}.`
  const retry_after = Math.ceil((resets_at - now) / 1_000)
  return refusal('quota_exceeded', detail, {
    extra: { ...ownerOf(owner), quota, limit, used, resets_at: resetTime, retry_after },
  })
}

/** Maximum cost of a model call, in tokens. */
export interface CallCost {
  readonly input: number
  /** Maximum length of the answer. */
  readonly output: number
  /** Length below which an answer is useless. */
  readonly least: number
  readonly price: Price | undefined
}

/** Outcome of a reservation; `output` is the permitted length of the answer in tokens. */
export type Reservation =
  | { readonly kind: 'reserved'; readonly id: string; readonly output: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const changeUsage = <T>(
  world: World,
  owner: QuotaOwner,
  change: (usage: Usage, now: number) => RowChange<T>,
): Promise<T> =>
  changeRow(world, rowOf(owner), `the usage of the ${nounOf(owner)}`, (body) => {
    const now = world.clock.now()
    return change(usageAt(body, now), now)
  })

/** Reserves the cost of a call; `busy` if calls in progress have reserved what remains. */
export const reserveUsage = (
  world: World,
  owner: QuotaOwner,
  { id, ...call }: CallCost & { readonly id: string },
): Promise<Reservation> =>
  changeUsage<Reservation>(world, owner, (usage, now) => {
    // An earlier write with an unknown outcome may have stored this reservation.
    const { [id]: _, ...earlier } = usage.reserved
    const levels = levelsOf(owner.quotas, { ...usage, reserved: earlier }, now)
    const output = outputWithin(call, levels, true)
    const isBounded = output < call.output && Object.keys(earlier).length > 0
    if (isBounded && outputWithin(call, levels, false) >= call.least)
      return { result: { kind: 'busy' } }
    if (output < call.least)
      return { result: { kind: 'refused', refusal: exceeded(owner, tightest(call, levels), now) } }
    const until = now + LIMITS.quota_call_seconds * 1_000
    const reserved = { ...earlier, [id]: { ...costOf(call, output), until } }
    return { result: { kind: 'reserved', id, output }, next: { ...usage, reserved } }
  })

/** Replaces a reservation with the actual cost, idempotently; undefined if the cost is unknown. */
export const settleUsage = (
  world: World,
  owner: QuotaOwner,
  id: string,
  used: Amount | undefined,
): Promise<void> =>
  changeUsage(world, owner, (usage) => {
    const { [id]: mine, ...reserved } = usage.reserved
    if (!mine) return { result: undefined }
    const cost = used ?? mine
    const of_day = plus(usage.of_day, cost)
    const of_month = plus(usage.of_month, cost)
    return { result: undefined, next: { ...usage, of_day, of_month, reserved } }
  })

/** Returns the maximum cost; the provider may write the whole input to its cache. */
function costOf({ input, price }: CallCost, output: number): Amount {
  const { input_per_million: full = 0, cache_write_per_million: cached = 0 } = price ?? {}
  const highest = price && { ...price, input_per_million: Math.max(full, cached) }
  const { list_price = 0 } = listPrice(highest, { input_tokens: input, output_tokens: output })
  return { tokens: input + output, dollars: list_price }
}

/** Returns the permitted length of the answer, at most the requested one; negative if none is. */
function outputWithin(call: CallCost, levels: readonly QuotaLevel[], counts: boolean): number {
  const perToken = (call.price?.output_per_million ?? 0) / MILLION
  const { tokens, dollars } = costOf(call, 0)
  const lengths = levels.map(({ unit, limit, used, reserved }) => {
    const remaining = limit - used - (counts ? reserved : 0)
    if (unit === 'tokens') return remaining - tokens
    if (remaining < dollars) return -1
    return perToken === 0 ? call.output : Math.floor((remaining - dollars) / perToken)
  })
  return Math.min(call.output, ...lengths)
}

const tightest = (call: CallCost, levels: readonly QuotaLevel[]): QuotaLevel =>
  levels.reduce((left, right) =>
    outputWithin(call, [right], false) < outputWithin(call, [left], false) ? right : left,
  )
