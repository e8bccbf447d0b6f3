/**
 * The number of things of one kind that a tenant may have, as many as one page of their list shows.
 * Which ones it has stands in one row, so that requests at once never make more. A thing that was
 * deleted, or never came to be, gives its place back when the next one finds none.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { TenantLimit, TenantLimits } from '../../core/tenant-limits.ts'
import type { Row, World } from '../../ports/world.ts'
import { quotaPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import { tenantLimits } from './state.ts'

export interface Quota {
  /** Names the row. */
  readonly name: string
  /** Where things of this kind are listed. */
  readonly under: string
  readonly max: number
  /** For people, plural. */
  readonly what: string
  /** A sentence: how to make room. */
  readonly wayOn?: string
  /** Whose; absent: a tenant's. */
  readonly owner?: string
  /** The tenant's own limit that it is; absent: the deployment's. */
  readonly limit?: TenantLimit
  /** Of the head of a thing: whether it needs its place no more; absent: only deleted ones do. */
  readonly isOver?: (body: string) => boolean
  /** A thing ends by itself, and its place is free, after so long (ms); absent: it does not. */
  readonly lifeMs?: number
}

/** Somebody who has a place may be at making the thing for so long. */
const MAKING_MS = 60_000

/** By the partition of each thing: when its place was taken (ms). */
type Places = Readonly<Record<string, number>>

function refused({ max, what, wayOn, limit, owner = 'A tenant' }: Quota): Refusal {
  const full = `${owner} has at most ${max} ${what}.`
  if (limit === undefined) return refusal('rate_limited', wayOn ? `${full} ${wayOn}` : full)
  const detail = `The tenant has at most ${max} ${what}, by a limit of its own.`
  return refusal('quota_exceeded', detail, { extra: { limit, value: max } })
}

/** Says it to the operator's log, which counts it; absent: there is none. */
export function noteRefusal(
  { log }: Pick<World, 'log'>,
  tenant: string,
  refused: Refusal | undefined,
): Refusal | undefined {
  const limit = refused?.extra?.limit
  if (typeof limit === 'string')
    log?.write({ level: 'info', event: 'quota.refused', tenant, limit })
  return refused
}

/** The tenant's own limit of this name, where it has a lower one; at once where nothing is read. */
export function ownQuota(
  world: World,
  tenant: string,
  limit: TenantLimit,
  quota: Quota,
): Quota | Promise<Quota> {
  const lowered = (limits: TenantLimits | undefined): Quota => {
    const max = limits?.[limit] ?? quota.max
    return max < quota.max ? { ...quota, max, limit } : quota
  }
  const limits = tenantLimits(world, tenant)
  return limits instanceof Promise ? limits.then(lowered) : lowered(limits)
}

/** Undefined while there seems to be room for one more: for refusing before anything is written. */
export async function quotaRefusal(
  { store }: Pick<World, 'store'>,
  quota: Quota,
): Promise<Refusal | undefined> {
  if (quota.max === 0) return refused(quota)
  const others = await store.list(quota.under, undefined, quota.max)
  return others.length < quota.max ? undefined : refused(quota)
}

/** Requests of this process come one after another: all at once would conflict until all give up. */
const turnsOf = processMemory('quotas', () => new Map<string, Promise<unknown>>())

/** Takes the place of a thing that is made next, in `partition`; again: it has it already. */
export const takePlace = (
  world: World,
  tenant: string,
  quota: Quota,
  partition: string,
): Promise<Refusal | undefined> =>
  inTurn(world, tenant, quota.name, () => take(world, tenant, quota, partition))

/** After whoever of this process is at the same row; what it may say is nothing to us. */
export async function inTurn<T>(
  world: Pick<World, 'store'>,
  tenant: string,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const turns = turnsOf(world.store)
  const turn = `${tenant}/${name}`
  const before = turns.get(turn) ?? Promise.resolve()
  const mine = before.catch(() => {}).then(work)
  turns.set(turn, mine)
  try {
    return await mine
  } finally {
    if (turns.get(turn) === mine) turns.delete(turn)
  }
}

async function take(
  world: World,
  tenant: string,
  quota: Quota,
  partition: string,
): Promise<Refusal | undefined> {
  const row = quotaPartition(tenant, quota.name)
  const taken = await update<{ readonly refusal?: Refusal }>(world, 'the quota', async () => {
    const [head] = await world.store.heads([row])
    const before = head ? placesOf(head.body) : await listed(world, quota)
    if (partition in before) return {}
    const full = Object.keys(before).length >= quota.max
    const places = full ? await livingOf(world, before, quota) : before
    if (Object.keys(places).length >= quota.max) return { refusal: refused(quota) }
    const now = world.clock.now()
    const body = JSON.stringify({ places: { ...places, [partition]: now } })
    const expiresAt = quota.lifeMs === undefined ? undefined : now + quota.lifeMs
    const expect = head?.version ?? null
    const done = await world.store.commit(row, [], { expect, body, expiresAt })
    return done === 'ok' ? {} : undefined
  })
  return taken.refusal
}

/** For things that leave no trace when they are deleted: else their place is free in a minute. */
export async function leavePlace(
  world: World,
  tenant: string,
  quota: Quota,
  partition: string,
): Promise<void> {
  const row = quotaPartition(tenant, quota.name)
  await update(world, 'the quota', async () => {
    const [head] = await world.store.heads([row])
    const { [partition]: mine, ...places } = head ? placesOf(head.body) : {}
    if (!head || mine === undefined) return true
    const body = JSON.stringify({ places })
    const { lifeMs } = quota
    const expiresAt = lifeMs === undefined ? undefined : world.clock.now() + lifeMs
    const write = { expect: head.version, body, expiresAt }
    return (await world.store.commit(row, [], write)) === 'ok' || undefined
  })
}

const placesOf = (body: string): Places =>
  stored<{ readonly places: Places }>('a quota', body, { places: 'object' }).places

/** How many there are; of things that end without a word, those that have not ended. */
export async function placesTaken(world: World, tenant: string, quota: Quota): Promise<number> {
  const [head] = await world.store.heads([quotaPartition(tenant, quota.name)])
  const places = head ? placesOf(head.body) : await listed(world, quota)
  return Object.keys(await livingOf(world, places, quota)).length
}

/** Things that were made before places were counted. */
async function listed({ store }: World, { under, max }: Quota): Promise<Places> {
  const rows = max === 0 ? [] : await store.list(under, undefined, max)
  return Object.fromEntries(rows.map(({ partition }) => [partition, 0]))
}

/** Without those that are gone, or have not come to be in time. */
async function livingOf(
  { store, clock }: World,
  places: Places,
  { lifeMs = Number.POSITIVE_INFINITY, isOver = isDeleted }: Quota,
): Promise<Places> {
  const taken = Object.entries(places)
  const heads: (Row | null)[] = []
  for (let at = 0; at < taken.length; at += READ_TOGETHER) {
    const some = taken.slice(at, at + READ_TOGETHER)
    heads.push(...(await store.heads(some.map(([partition]) => partition))))
  }
  const now = clock.now()
  const living = taken.filter(([, at], index) => {
    const head = heads[index]
    if (now - at >= lifeMs) return false
    return head ? !isOver(head.body) : now - at < MAKING_MS
  })
  return Object.fromEntries(living)
}

/** Inside of a string its quotes would be escaped. */
const isDeleted = (body: string): boolean => body.includes('"deleted":true')

const READ_TOGETHER = 50
