/** Limits the number of resources of one kind per tenant to one list page. */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'

/** Rejects another resource if the tenant is at the limit; returns undefined below the limit. */
export async function quotaRefusal(
  { store }: Pick<World, 'store'>,
  under: string,
  max: number,
  noun: string,
): Promise<Refusal | undefined> {
  const existing = await store.list(under, undefined, max)
  if (existing.length < max) return undefined
  return refusal('rate_limited', `A tenant can have at most ${max} ${noun}.`)
}
