/**
 * Tokens and dollars of a day and a month, where the operator has limited them. A call of a model
 * reserves the most that it may cost before it is made, and is settled with what it has cost, all
 * in one row: spent and reserved together never exceed a limit, however many calls come at once. A
 * call whose cost nobody knows, as its worker died, counts as it was reserved.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Price } from '../../core/policy.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { listPrice } from '../../core/run/budget.ts'
import { LIMIT_WORDS, type TenantLimit, type TenantLimits } from '../../core/tenant-limits.ts'
import { dayOf, iso, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { quotaPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import { inTurn } from './quota.ts'
import { tenantLimits } from './state.ts'

export interface Amount {
  readonly tokens: number
  /** US dollars by the list of prices. */
  readonly dollars: number
}

interface Reserved extends Amount {
  /** Afterwards it counts as spent (ms since 1970). */
  readonly until: number
}

interface Spending {
  /** `2026-11-23`, UTC. */
  readonly day: string
  readonly of_day: Amount
  readonly of_month: Amount
  /** By the name of each reservation. */
  readonly reserved: Readonly<Record<string, Reserved>>
}

const NAME = 'spending'
const NOTHING: Amount = { tokens: 0, dollars: 0 }
const DIGITS = 1e9
const DAY_MS = 86_400_000
/** Clocks of processes are apart by less. */
const CLOCKS_MS = 60_000
const MONTH = 'YYYY-MM'.length

const plus = (one: Amount, other: Amount): Amount => ({
  tokens: one.tokens + other.tokens,
  dollars: Math.round((one.dollars + other.dollars) * DIGITS) / DIGITS,
})

const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce(plus, NOTHING)

/** As it is now: a day that is over counts no more, a reservation whose time is over is spent. */
function spendingOf(body: string | undefined, now: number): Spending {
  const today = dayOf(now)
  if (body === undefined) return { day: today, of_day: NOTHING, of_month: NOTHING, reserved: {} }
  const was = stored<Spending>('the spending of a tenant', body, {
    ...{ day: 'string', of_day: 'object', of_month: 'object', reserved: 'object' },
  })
  // A day that has begun for another clock has begun: else either would begin it anew.
  const day = was.day === dayOf(now + CLOCKS_MS) ? was.day : today
  const all = Object.entries(was.reserved)
  const lost = sumOf(all.filter(([, { until }]) => until <= now).map(([, one]) => one))
  const isSameMonth = was.day.slice(0, MONTH) === day.slice(0, MONTH)
  return {
    day,
    of_day: plus(was.day === day ? was.of_day : NOTHING, lost),
    of_month: plus(isSameMonth ? was.of_month : NOTHING, lost),
    reserved: Object.fromEntries(all.filter(([, { until }]) => until > now)),
  }
}

/** A limit of tokens or dollars, and how it stands. */
export interface Level {
  readonly limit: TenantLimit
  readonly unit: keyof Amount
  readonly value: number
  readonly spent: number
  readonly reserved: number
  /** When it begins anew (ms since 1970). */
  readonly resets_at: number
}

const SPENDING = {
  tokens_per_day: ['tokens', 'day'],
  tokens_per_month: ['tokens', 'month'],
  dollars_per_day: ['dollars', 'day'],
  dollars_per_month: ['dollars', 'month'],
} as const

function levelsOf(limits: TenantLimits, spending: Spending, now: number): readonly Level[] {
  const reserved = sumOf(Object.values(spending.reserved))
  const names = Object.keys(SPENDING) as (keyof typeof SPENDING)[]
  const at = Math.max(now, parseTime(spending.day)!)
  return names.flatMap((limit) => {
    const value = limits[limit]
    if (value === undefined) return []
    const [unit, period] = SPENDING[limit]
    const spent = (period === 'day' ? spending.of_day : spending.of_month)[unit]
    return [{ limit, unit, value, spent, reserved: reserved[unit], resets_at: endOf(period, at) }]
  })
}

function endOf(period: 'day' | 'month', now: number): number {
  const midnight = parseTime(dayOf(now))! + DAY_MS
  if (period === 'day') return midnight
  const [year = 0, month = 0] = dayOf(now).split('-').map(Number)
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`
  return parseTime(`${next}-01`)!
}

export const limitsSpending = (limits: TenantLimits): boolean =>
  Object.keys(SPENDING).some((name) => limits[name as TenantLimit] !== undefined)

async function readSpending(world: World, tenant: string) {
  const [row] = await world.store.heads([quotaPartition(tenant, NAME)])
  return { spending: spendingOf(row?.body, world.clock.now()), version: row?.version ?? null }
}

export async function spendingLevels(
  world: World,
  tenant: string,
  limits: TenantLimits,
): Promise<readonly Level[]> {
  const { spending } = await readSpending(world, tenant)
  return levelsOf(limits, spending, world.clock.now())
}

/** For who would begin something: undefined while nothing is used up, and where nothing is limited. */
export async function spendingRefusal(world: World, tenant: string): Promise<Refusal | undefined> {
  const known = tenantLimits(world, tenant)
  const limits = known === undefined ? undefined : await known
  if (!limits || !limitsSpending(limits)) return undefined
  const levels = await spendingLevels(world, tenant, limits)
  const full = levels.find(({ spent, value }) => spent >= value)
  return full && usedUp(full, world.clock.now())
}

function usedUp({ limit, value, spent, resets_at }: Level, now: number): Refusal {
  const at = iso(resets_at)
  const detail =
    `Of the ${value} ${LIMIT_WORDS[limit]} that the tenant may use, ${spent} are used: ` +
    `${spent < value ? 'the rest is less than this call may need' : 'none is left'}. ` +
    `They begin anew at ${at}.`
  const retry_after = Math.ceil((resets_at - now) / 1_000)
  return refusal('quota_exceeded', detail, {
    extra: { limit, value, used: spent, resets_at: at, retry_after },
  })
}

/** A call as it is estimated, in tokens; `output`: its longest answer, `least`: the shortest of use. */
export interface Wanted {
  readonly input: number
  readonly output: number
  readonly least: number
  readonly price: Price | undefined
}

/** `output`: so many tokens its answer may have. */
export type Reservation =
  | { readonly kind: 'reserved'; readonly id: string; readonly output: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** `id`: of this call and no other. Busy: calls under way have reserved what is left. */
export const reserveSpending = (
  world: World,
  tenant: string,
  limits: TenantLimits,
  wanted: Wanted & { readonly id: string },
): Promise<Reservation> =>
  inTurn(world, tenant, NAME, () =>
    update<Reservation>(world, 'the spending of the tenant', async () => {
      const { id } = wanted
      const { spending, version } = await readSpending(world, tenant)
      const now = world.clock.now()
      // A write of before of which nobody knew whether it had come to be.
      const { [id]: _, ...others } = spending.reserved
      const levels = levelsOf(limits, { ...spending, reserved: others }, now)
      const output = outputWithin(wanted, levels, true)
      if (output < wanted.output && Object.keys(others).length > 0) {
        if (outputWithin(wanted, levels, false) >= wanted.least) return { kind: 'busy' }
        return { kind: 'refused', refusal: usedUp(tightest(wanted, levels), now) }
      }
      if (output < wanted.least)
        return { kind: 'refused', refusal: usedUp(tightest(wanted, levels), now) }
      const until = now + LIMITS.quota_call_seconds * 1_000
      const reserved = { ...others, [id]: { ...costOf(wanted, output), until } }
      const isDone = await write(world, tenant, { ...spending, reserved }, version)
      return isDone ? { kind: 'reserved', id, output } : undefined
    }),
  )

/** `spent`: undefined when nobody knows. Again: it is settled already. */
export const settleSpending = (
  world: World,
  tenant: string,
  id: string,
  spent: Amount | undefined,
): Promise<boolean> =>
  inTurn(world, tenant, NAME, () =>
    update(world, 'the spending of the tenant', async () => {
      const { spending, version } = await readSpending(world, tenant)
      const { [id]: mine, ...reserved } = spending.reserved
      if (!mine) return true
      const cost = spent ?? mine
      const of_day = plus(spending.of_day, cost)
      const of_month = plus(spending.of_month, cost)
      const next = { ...spending, of_day, of_month, reserved }
      return (await write(world, tenant, next, version)) || undefined
    }),
  )

async function write(
  { store }: World,
  tenant: string,
  spending: Spending,
  expect: number | null,
): Promise<boolean> {
  const head = { expect, body: JSON.stringify(spending) }
  return (await store.commit(quotaPartition(tenant, NAME), [], head)) === 'ok'
}

/** The most that a call costs: its input may be written to the provider's cache. */
function costOf({ input, price }: Wanted, output: number): Amount {
  const counted = { input_tokens: input, output_tokens: output }
  const { input_per_million: full = 0, cache_write_per_million: written = 0 } = price ?? {}
  const dearest = price && { ...price, input_per_million: Math.max(full, written) }
  return { tokens: input + output, dollars: listPrice(dearest, counted).list_price ?? 0 }
}

const MILLION = 1_000_000

/** The longest answer for which there is room, at most that which is wanted; below 0: none. */
function outputWithin(wanted: Wanted, levels: readonly Level[], counts: boolean): number {
  const each = (wanted.price?.output_per_million ?? 0) / MILLION
  const { tokens, dollars } = costOf(wanted, 0)
  const most = levels.map(({ unit, value, spent, reserved }) => {
    const room = value - spent - (counts ? reserved : 0)
    if (unit === 'tokens') return room - tokens
    if (room < dollars) return -1
    return each === 0 ? wanted.output : Math.floor((room - dollars) / each)
  })
  return Math.min(wanted.output, ...most)
}

/** The limit that leaves the least. */
const tightest = (wanted: Wanted, levels: readonly Level[]): Level =>
  levels.reduce((one, other) =>
    outputWithin(wanted, [other], false) < outputWithin(wanted, [one], false) ? other : one,
  )
