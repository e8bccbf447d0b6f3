/**
 * Provides helpers for management routes: the caller, the `If-Match` condition, and the response
 * format.
 */

import type { Context } from 'hono'
import { writableLayers } from '../../core/scopes.ts'
import type { ResourceKind } from '../../engine/manage/history.ts'
import { type Manager, perform, type RegisteredName } from '../../engine/manage/index.ts'
import { type LayerRef, placeOf } from '../../engine/manage/place.ts'
import type { World } from '../../ports/world.ts'
import { expectation } from '../request/conditions.ts'
import { granted } from '../request/problem.ts'
import type { Env } from '../request/route.ts'

interface TenantRequest {
  readonly c: Context<Env>
  readonly world: World
  readonly tenant: string
  readonly by: string
}

export function managerOf({ c, world, tenant, by }: TenantRequest, strict = false): Manager {
  // Browsers send the ETag of a cached response with each further read.
  const isRead = c.req.method === 'GET'
  const expect = isRead
    ? 'any'
    : expectation(c.req.header('if-match'), c.req.header('if-none-match'))
  const condition = expect === 'any' ? undefined : expect
  const writable = writableLayers(c.get('principal').scopes)
  return { world, tenant, by, strict, condition, writable }
}

/** Returns the layer that `?layer=` names. */
export const layerOf = async (manager: Manager, layer: string): Promise<LayerRef> =>
  granted(await placeOf(manager, { role: 'main', layer }))

/**
 * Name settings of a resource kind; `nameIn` is the operation parameter with the resource's name.
 */
interface NamedKind {
  readonly kind: ResourceKind
  readonly nameIn: 'name' | 'agent_name' | 'skill_name'
}
type Layered = TenantRequest & { readonly query: { layer?: unknown; strict?: unknown } }
type Performed = Readonly<Record<string, unknown>>

/** Performs an operation of the registry on the resource in the request path. */
export async function performed(
  call: Layered,
  { nameIn }: Pick<NamedKind, 'nameIn'>,
  operation: RegisteredName,
  members: object,
): Promise<Performed> {
  const { layer, strict } = call.query
  const manager = managerOf(call, strict === true)
  const where = { role: 'main', layer: String(layer) }
  const input = { role: 'main', [nameIn]: call.c.req.param('name') ?? '', ...members }
  return { ...granted(await perform(manager, operation, where, input as never)) }
}

/** Returns the etag header for a resource that was read or written. */
export function etagOf(
  { kind }: Pick<NamedKind, 'kind'>,
  answer: Performed,
): Record<string, string> {
  const { etag } = answer[kind] as { readonly etag: string | null }
  return etag === null ? {} : { etag: `"${etag}"` }
}
