/**
 * Creates resources under an `Idempotency-Key`: a repeated key and body yield the original ID and
 * complete the creation (PROTOCOL.md rule 27).
 */

import type { Refusal } from '../../core/problem.ts'
import type { Prefix } from '../../lib/id.ts'
import { random } from '../../lib/id.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { lookUp, type RequestKey, reserve } from './idempotency.ts'

export interface Settled {
  readonly id: string
  /** Whether an earlier request used this idempotency key; the resource may then exist. */
  readonly known: boolean
}

/** Returns the ID of the resource to create; `validate` runs only for a new idempotency key. */
export async function settleId(
  world: World,
  tenant: string,
  prefix: Prefix,
  requestKey: RequestKey | undefined,
  validate: () => Refusal | undefined | Promise<Refusal | undefined> = () => undefined,
): Promise<Outcome<Settled, Refusal>> {
  const key = requestKey ? await lookUp(world, tenant, requestKey) : ok(undefined)
  if (!key.ok) return key
  const existing = key.value?.reservation
  if (existing) return ok({ id: existing.id, known: true })
  const rejection = await validate()
  if (rejection) return { ok: false, error: rejection }
  const fresh = random(prefix, world.clock.random(17))
  if (!key.value) return ok({ id: fresh, known: false })
  const reserved = await reserve(world, tenant, key.value, fresh)
  return reserved.ok ? ok({ id: reserved.value.id, known: reserved.value.id !== fresh }) : reserved
}
