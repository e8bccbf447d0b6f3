/** Limits how many resources of one kind a tenant may have: as many as one page of their list. */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'

/** Refuses one more resource at the limit; else undefined. */
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
