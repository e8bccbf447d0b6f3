/** A tenant's policy: one head row under compare-and-swap, read with every resolve. */

import { aliased, DEFAULT_POLICY, type Policy } from '../core/policy.ts'
import type { Model, World } from '../ports/world.ts'
import { policyPartition } from './names.ts'

export interface StoredPolicy {
  readonly policy: Policy
  /** Of the row; null when the tenant has set none and the defaults count. */
  readonly version: number | null
}

export async function readPolicy(world: World, tenant: string): Promise<StoredPolicy> {
  const [row] = await world.store.heads([policyPartition(tenant)])
  if (!row) return { policy: DEFAULT_POLICY, version: null }
  // What an older release stored has not all fields of today.
  const stored = JSON.parse(row.body) as Partial<Policy>
  return { policy: { ...DEFAULT_POLICY, ...stored }, version: row.version }
}

/** Undefined when the policy is no longer at the version that was read. */
export async function writePolicy(
  world: World,
  tenant: string,
  policy: Policy,
  expect: number | null,
): Promise<StoredPolicy | undefined> {
  const head = { expect, body: JSON.stringify(policy) }
  const result = await world.store.commit(policyPartition(tenant), [], head)
  if (result === 'conflict') return undefined
  const stored = await readPolicy(world, tenant)
  const written = JSON.stringify(stored.policy) === head.body
  return result === 'ok' || written ? stored : undefined
}

/** Which model a reference means for this tenant. */
export const findModel = (
  world: World,
  policy: Policy,
  reference: string | undefined,
): ReturnType<Model['find']> => world.model.find(aliased(policy, reference))
