/**
 * The number of things of one kind that a tenant may have: as many as one page of their list shows.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'

/** Undefined while there is room for one more. */
export async function quotaRefusal(
  { store }: Pick<World, 'store'>,
  under: string,
  max: number,
  noun: string,
): Promise<Refusal | undefined> {
  const existing = await store.list(under, undefined, max)
  if (existing.length < max) return undefined
  return refusal('rate_limited', `A tenant has at most ${max} ${noun}.`)
}
