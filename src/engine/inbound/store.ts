/**
 * Stores inbound hooks. A hook is read by its ID alone, because a sender has no API key, and listed
 * by tenant. A separate row contains the last two sealed secrets.
 */

import { changeOf } from '../../core/audit-change.ts'
import type { SealedSecret } from '../../core/webhook/endpoint.ts'
import type { InboundHook } from '../../core/webhook/inbound.ts'
import { iso } from '../../lib/time.ts'
import type { World, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { hookPartition, hooksList } from '../partition/keys.ts'
import { stored, storedList } from '../partition/stored.ts'
import type { Audited } from '../tenant/audit.ts'
import { auditRow } from '../tenant/audit.ts'

interface InboundHookHead {
  readonly hook: InboundHook
}
export interface StoredInboundHook {
  readonly version: number
  readonly hook: InboundHook
  /** Secrets sealed for the hook, newest first; empty if the hook accepts only public keys. */
  readonly secrets: readonly SealedSecret[]
}

export const hookHeadOf = (body: string): InboundHookHead =>
  stored<InboundHookHead>('an inbound hook', body, { hook: 'object' })

const SECRET = 'secret'

/** Reads an inbound hook; returns undefined if the hook does not exist. */
export async function readHook(world: World, id: string): Promise<StoredInboundHook | undefined> {
  const rows = await world.store.read(hookPartition(id))
  const head = rows.find(({ key }) => key === HEAD)
  if (!head) return undefined
  const { hook } = hookHeadOf(head.body)
  const secret = rows.find(({ key }) => key === SECRET)
  const secrets = secret ? storedList<SealedSecret>('sealed secrets', secret.body) : []
  return hook.deleted ? undefined : { version: head.version, hook, secrets }
}

/** Returns whether the hook existed; its head stays after the deletion. */
export async function wasDeleted({ store }: World, id: string): Promise<boolean> {
  const [head] = await store.heads([hookPartition(id)])
  return head ? hookHeadOf(head.body).hook.deleted : false
}

/** Members that are bookkeeping, and no setting of the hook. */
const NO_SETTINGS = [
  ...['id', 'tenant', 'revision', 'rotation', 'rotations', 'created_at', 'deleted', 'key'],
]

interface PreviousHook {
  /** Hook before the change; null if it is new. */
  readonly previous: InboundHook | null
  /** Secrets to store; the stored secrets stay unchanged if absent. */
  readonly secrets?: readonly SealedSecret[] | undefined
}

/**
 * Writes a hook if the stored version is still the one that was read (`version` null: new). Returns
 * false after a conflict.
 */
export async function writeHook(
  world: World,
  hook: InboundHook,
  version: number | null,
  by: Pick<Audited, 'action' | 'by'>,
  { previous, secrets }: PreviousHook,
): Promise<boolean> {
  const { id, tenant, deleted } = hook
  const entry = { ...by, kind: 'hook', name: id, number: (version ?? 0) + 1 } as const
  const change = changeOf(previous, deleted ? null : hook, NO_SETTINGS)
  const rows: Write[] = [auditRow(world, tenant, { ...entry, ...change })]
  if (deleted) rows.push({ op: 'delete', key: SECRET })
  else if (secrets) {
    rows.push({ op: 'put', key: SECRET, body: JSON.stringify(secrets), expect: 'any' })
  }
  const listing = { under: hooksList(tenant), at: `${iso(hook.created_at)} ${id}` }
  const result = await world.store.commit(hookPartition(id), rows, {
    expect: version,
    body: JSON.stringify({ hook } satisfies InboundHookHead),
    listed: deleted ? undefined : listing,
  })
  return result === 'ok'
}
