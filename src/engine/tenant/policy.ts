/** A tenant's policy: one head row under compare-and-swap, read with every resolve. */

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
  /** Version of the row; null when the tenant has set none and the defaults apply. */
  readonly version: number | null
}

interface CachedPolicy {
  stored?: StoredPolicy
}

/** Policies cached where no other process can write them. A write evicts the entry. */
const policiesOf = processMemory('policies', () => new Map<string, CachedPolicy>())

export async function readPolicy(world: World, tenant: string): Promise<StoredPolicy> {
  if (!world.settings.singleProcess) return loadPolicy(world, tenant)
  const policies = policiesOf(world.store)
  // Taken before the read: one that comes back after a write that it did not see fills nothing.
  const place = policies.get(tenant) ?? {}
  policies.set(tenant, place)
  place.stored ??= await loadPolicy(world, tenant)
  return place.stored
}

export interface Asking {
  readonly world: World
  readonly tenant: string
  /** State of the run that asks. */
  readonly state: { readonly spec: { readonly id: string } | null }
}

/**
 * The policy for a verdict on a call: the calls of one answer share a read that began at most
 * 100 ms ago, which is about as long as it takes from a verdict to what it allows. No other run
 * shares it: one that is created after a policy was written works by that policy.
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
  // A failed read answers no other request.
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
  // What an older release stored has not all fields of today.
  const fields = stored<Partial<Policy>>('a policy', row.body, {})
  return { policy: { ...DEFAULT_POLICY, ...fields }, version: row.version }
}

/**
 * Undefined when the policy is no longer at the version that was read. `by`: an API key, for the
 * audit; the deployment's own setup is not audited.
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
    // Also when the outcome is unknown.
    .finally(() => {
      policiesOf(world.store).delete(tenant)
      verdictsOf(world.store).clear()
    })
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
  return auditRow(world, tenant, { ...entry, number: (expect ?? 0) + 1, detail })
}

/** Which parts differ, by name: values may be long. */
function changed(previous: Policy, after: Policy): string {
  const parts = (Object.keys(after) as (keyof Policy)[]).filter(
    (part) => canonical(previous[part]) !== canonical(after[part]),
  )
  return parts.length === 0 ? 'nothing changed' : `changed: ${parts.join(', ')}`
}

/**
 * Which model a reference means for this tenant, and how it takes a schema. Where the default is
 * for a server to say, `Model.ready` comes first; nowhere else is there anything to wait for.
 */
export const findModel = (
  world: World,
  policy: Policy,
  reference: string | undefined,
  schema?: Parameters<Model['find']>[1],
): ReturnType<Model['find']> => world.model.find(aliased(policy, reference), schema)

/** The model's entry in the tenant's list, else its list price where that is known. */
export function priced({ prices }: Policy, model: PricedModel): Priced {
  const price = getOwn(prices, model.id) ?? model.price
  return price ? { price } : {}
}
type PricedModel = Pick<ModelInfo, 'id' | 'price'>

/** A budget in dollars that could not be kept, because the model has no price. */
export function priceRefused(
  policy: Policy,
  model: PricedModel & Pick<ModelInfo, 'fallbacks'>,
  { max_cost_usd }: Budget,
): string | undefined {
  if (max_cost_usd == null) return undefined
  const lacking = [model, ...(model.fallbacks ?? [])].find(
    (candidate) => !priced(policy, candidate).price,
  )
  return lacking && `max_cost_usd needs a price for ${lacking.id}: set \`prices\` in the policy`
}

/** Why a file's word is no alias, `provider/model` or vendor's id; undefined: it is one. */
export function modelLack(world: World, policy: Policy, reference: string): string | undefined {
  const lookup = findModel(world, policy, reference)
  if (!lookup.ok) return lookup.error.message
  const isNamed = !lookup.value.guessed || Object.hasOwn(policy.model_aliases, reference)
  return isNamed ? undefined : 'It is neither an alias nor provider/model.'
}
