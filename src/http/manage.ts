/** Shared by the management routes: the caller, the condition, and the form of the answer. */

import type { Context } from 'hono'
import type { Refusal } from '../core/problem.ts'
import { historyHash, type ResourceRef } from '../engine/manage/history.ts'
import type { Manager } from '../engine/manage/index.ts'
import { type LayerRef, placeOf } from '../engine/manage/place.ts'
import { historyPartition } from '../engine/partition/keys.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { World } from '../ports/world.ts'
import { conditions, expectation } from './conditions.ts'
import { page } from './page.ts'
import { Refused } from './problem.ts'
import type { Env } from './route.ts'
import { writeQuery } from './schemas/manage.ts'

interface TenantRequest {
  readonly c: Context<Env>
  readonly world: World
  readonly tenant: string
}

export function managerOf({ c, world, tenant }: TenantRequest, strict = false): Manager {
  const expect = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
  const condition = expect === 'any' ? undefined : expect
  return { world, tenant, by: c.get('principal').key_id, strict, condition }
}

export function granted<T>(outcome: Outcome<T, Refusal>): T {
  if (outcome.ok) return outcome.value
  throw new Refused(outcome.error)
}

/** The layer that `?layer=` names. */
export const layerOf = async (manager: Manager, layer: string): Promise<LayerRef> =>
  granted(await placeOf(manager, { role: 'main', layer }))

export const etagged = (etag: string | null): Record<string, string> =>
  etag === null ? {} : { etag: `"${etag}"` }

/** A whole list in one page: a layer is bounded by its listing. */
export const all = <T>(data: readonly T[]) => ({ data, next_cursor: null, has_more: false })

export const versionsOf = (
  { world, tenant }: TenantRequest,
  thing: ResourceRef,
  query: { limit: number; cursor?: string | undefined },
) => page(world, historyPartition(tenant, historyHash(thing)), query, (body) => body)

/**
 * Declarations that the routes of one kind of resource in a layer share. `name`: its identifier.
 */
export function managed(name: string) {
  const shared = { tag: 'Management', params: { name } } as const
  return {
    shared,
    reads: { ...shared, scope: 'layers:read', refusals: [422] },
    writes: {
      ...shared,
      scope: 'layers:write',
      headers: conditions,
      query: writeQuery,
      refusals: [422],
    },
  } as const
}
