/** Policy of a tenant: one head row under compare-and-swap, read with every configuration. */

import { changeOf } from '../../core/audit-change.ts'
import { aliased, DEFAULT_POLICY, type Policy } from '../../core/policy.ts'
import type { Budget, Priced } from '../../core/run/log/fact-parts.ts'
import { canonical } from '../../lib/digest.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { getOwn } from '../../lib/own-member.ts'
import type { Model, ModelInfo, World } from '../../ports/world.ts'
import { policyPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import { auditRow } from './audit.ts'

export interface StoredPolicy {
  readonly policy: Policy
  /** Version of the policy row; null if the tenant has no policy and the defaults apply. */
  readonly version: number | null
}

interface CachedPolicy {
  stored?: StoredPolicy
}

/** Policies cached if no other process can write them; a policy write evicts the cached policy. */
const policiesOf = processMemory('policies', () => new Map<string, CachedPolicy>())

export async function readPolicy(world: World, tenant: string): Promise<StoredPolicy> {
  if (!world.settings.singleProcess) return loadPolicy(world, tenant)
  const policies = policiesOf(world.store)
  // The cache slot is obtained before the read. A read that missed a concurrent write therefore
  // fills only an evicted slot.
  const place = policies.get(tenant) ?? {}
  policies.set(tenant, place)
  place.stored ??= await loadPolicy(world, tenant)
  return place.stored
}

/** Evicts the tenant's policy from the caches of this process. */
export function forgetPolicy({ store }: World, tenant: string): void {
  policiesOf(store).delete(tenant)
  verdictsOf(store).clear()
}

export interface Asking {
  readonly world: World
  readonly tenant: string
  /** State of the run that makes the call. */
  readonly state: { readonly spec: { readonly id: string } | null }
}

/**
 * Returns the policy that governs a tool call. Calls of one model answer share a read from the last
 * 100 ms, about the time from a ruling to its effect. Other runs do not share this read, so a run
 * created after a policy write follows that policy.
 */
export async function policyNow({ world, tenant, state }: Asking): Promise<StoredPolicy> {
  if (world.settings.singleProcess) return readPolicy(world, tenant)
  const verdicts = verdictsOf(world.store)
  const now = world.clock.monotonic()
  const key = `${tenant} ${state.spec?.id}`
  const cached = verdicts.get(key)
  if (cached && now < cached.at + MOMENT_MS) return cached.read
  const read = loadPolicy(world, tenant)
  verdicts.set(key, { at: now, read })
  // A failed read is removed and not shared with later calls.
  read.catch(() => verdicts.delete(key))
  return read
}

const MOMENT_MS = 100
const verdictsOf = processMemory('verdicts', () =>
  boundedCache<{ readonly at: number; readonly read: Promise<StoredPolicy> }>(1_000),
)

async function loadPolicy(world: World, tenant: string): Promise<StoredPolicy> {
  const [row] = await world.store.heads([policyPartition(tenant)])
  if (!row) return { policy: DEFAULT_POLICY, version: null }
  // Policies written by older releases lack newer fields.
  const fields = stored<Partial<Policy>>('a policy', row.body, {})
  return { policy: { ...DEFAULT_POLICY, ...fields }, version: row.version }
}

/**
 * Writes the policy; returns undefined if its version has changed. `by` is the API key for the
 * audit log; changes by the deployment's setup are not audited.
 */
export async function writePolicy(
  world: World,
  tenant: string,
  policy: Policy,
  expect: number | null,
  by?: string,
): Promise<StoredPolicy | undefined> {
  const entries = by === undefined ? [] : [await entryOf(world, tenant, policy, { expect, by })]
  const head = { expect, body: JSON.stringify(policy) }
  const result = await world.store
    .commit(policyPartition(tenant), entries, head)
    // The cached policy is evicted even if the outcome of the write is unknown.
    .finally(() => forgetPolicy(world, tenant))
  if (result === 'conflict') return undefined
  const stored = await loadPolicy(world, tenant)
  const isOurs = JSON.stringify(stored.policy) === head.body
  return result === 'ok' || isOurs ? stored : undefined
}

async function entryOf(
  world: World,
  tenant: string,
  policy: Policy,
  { expect, by }: { readonly expect: number | null; readonly by: string },
) {
  const previous = await loadPolicy(world, tenant)
  const entry = { kind: 'policy', name: 'policy', action: 'put', by } as const
  const detail = changed(previous.policy, policy)
  const number = (expect ?? 0) + 1
  const change = changeOf(previous.policy, policy)
  return auditRow(world, tenant, { ...entry, number, detail, ...change })
}

/** Returns the names of the changed policy parts without their values, which may be long. */
function changed(previous: Policy, after: Policy): string {
  const parts = (Object.keys(after) as (keyof Policy)[]).filter(
    (part) => canonical(previous[part]) !== canonical(after[part]),
  )
  return parts.length === 0 ? 'nothing changed' : `changed: ${parts.join(', ')}`
}

/**
 * Returns the model that a tenant's reference names, and how that model receives a schema. Awaits
 * `Model.ready` first only if a server names the default model.
 */
export const findModel = (
  world: World,
  policy: Policy,
  reference: string | undefined,
  schema?: Parameters<Model['find']>[1],
): ReturnType<Model['find']> => world.model.find(aliased(policy, reference), schema)

/** Returns the tenant's price for the model, or otherwise the model's list price if known. */
export function priced({ prices }: Policy, model: PricedModel): Priced {
  const price = getOwn(prices, model.id) ?? model.price
  return price ? { price } : {}
}
type PricedModel = Pick<ModelInfo, 'id' | 'price'>

/** Rejects a dollar budget that cannot be enforced because the model has no price. */
export function priceRefused(
  policy: Policy,
  model: PricedModel & Pick<ModelInfo, 'fallbacks'>,
  { max_cost_usd }: Budget,
): string | undefined {
  if (max_cost_usd == null) return undefined
  const lacking = [model, ...(model.fallbacks ?? [])].find(
    (candidate) => !priced(policy, candidate).price,
  )
  return lacking && `max_cost_usd requires a price for ${lacking.id}; set \`prices\` in the policy`
}

/**
 * Explains why a model reference in a file is not an alias, `provider/model`, or vendor ID; returns
 * undefined if the reference is valid.
 */
export function modelLack(world: World, policy: Policy, reference: string): string | undefined {
  const lookup = findModel(world, policy, reference)
  if (!lookup.ok) return lookup.error.message
  const isNamed = !lookup.value.guessed || Object.hasOwn(policy.model_aliases, reference)
  return isNamed ? undefined : 'Use an alias or provider/model.'
}
