/**
 * Slots in one row, which limit the number of resources. Each resource has a slot before it is
 * created, so concurrent requests never exceed the limit. A slot without a resource is freed by
 * `releaseSlots`, or when a later request finds no free slot.
 */

import type { Refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { changeRow } from '../partition/change-row.ts'
import { stored } from '../partition/stored.ts'

/** Time at which each slot was reserved, in milliseconds since 1970, by the resource's partition. */
export type Slots = Readonly<Record<string, number>>

export interface SlotRow {
  readonly partition: string
  /** Name of the row in errors. */
  readonly resource: string
  readonly max: number
  /** Returns the resources that were created before the row was written. */
  readonly existing: () => Promise<Slots>
  /** Keeps the slots of resources that exist or that another request may be creating. */
  readonly needed: (slots: Slots) => Promise<Slots>
  readonly full: (used: number) => Refusal
}

const slotsIn = async (row: SlotRow, body: string | undefined): Promise<Slots> =>
  body === undefined
    ? row.existing()
    : stored<{ readonly slots: Slots }>('slots', body, { slots: 'object' }).slots

export const countOf = (slots: Slots): number => Object.keys(slots).length

/** Returns the slots without those that a later request would free. */
export async function neededSlots({ store }: World, row: SlotRow): Promise<Slots> {
  const [head] = await store.heads([row.partition])
  return row.needed(await slotsIn(row, head?.body))
}

/** Reserves the slot of a resource that is created next; idempotent. */
const takeSlot = (world: World, row: SlotRow, id: string): Promise<Refusal | undefined> =>
  changeRow(world, row.partition, row.resource, async (body) => {
    const current = await slotsIn(row, body)
    const isFull = !(id in current) && countOf(current) >= row.max
    const slots = isFull ? await row.needed(current) : current
    if (isFull && countOf(slots) >= row.max) return { result: row.full(countOf(slots)) }
    return { result: undefined, next: { slots: { ...slots, [id]: world.clock.now() } } }
  })

/** Reserves a slot in each row; if a row is full, frees those in the rows before it. Idempotent. */
export async function takeSlots(
  world: World,
  rows: readonly SlotRow[],
  id: string,
): Promise<Refusal | undefined> {
  for (const [index, row] of rows.entries()) {
    const rejection = await takeSlot(world, row, id)
    if (!rejection) continue
    await releaseSlots(world, rows.slice(0, index), id)
    return rejection
  }
  return undefined
}

/** Frees the slots that a later request would free. */
export const pruneSlots = (world: World, row: SlotRow): Promise<void> =>
  changeRow(world, row.partition, row.resource, async (body) => {
    if (body === undefined) return { result: undefined }
    const current = await slotsIn(row, body)
    const slots = await row.needed(current)
    const isSame = countOf(slots) === countOf(current)
    return { result: undefined, ...(isSame ? {} : { next: { slots } }) }
  })

/**
 * Frees the slots of a deleted resource. A slot that was reserved after `deletedAt` (milliseconds
 * since 1970) belongs to a new resource with the same name.
 */
export async function releaseSlots(
  world: World,
  rows: readonly SlotRow[],
  id: string,
  deletedAt = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const row of rows) await releaseSlot(world, row, id, deletedAt)
}

const releaseSlot = (world: World, row: SlotRow, id: string, deletedAt: number): Promise<void> =>
  changeRow(world, row.partition, row.resource, async (body) => {
    const { [id]: reservedAt, ...slots } = body === undefined ? {} : await slotsIn(row, body)
    if (reservedAt === undefined || reservedAt > deletedAt) return { result: undefined }
    return { result: undefined, next: { slots } }
  })
