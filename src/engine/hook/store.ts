/**
 * Hooks as they are stored: found by their id alone, because who sends to one has no key; listed
 * under their tenant. The sealed secret stands in a row of its own.
 */

import type { Hook } from '../../core/hook.ts'
import { iso } from '../../lib/time.ts'
import type { World, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import type { Audited } from '../audit.ts'
import { auditRow } from '../audit.ts'
import { hookPartition, hooksList } from '../names.ts'

export interface HookHead {
  readonly hook: Hook
}
export interface StoredHook {
  readonly version: number
  readonly hook: Hook
  /** Sealed for the hook; null when only public keys are believed. */
  readonly sealed: string | null
}

const SECRET = 'secret'

/** The hook; undefined when there is none, or none any more. */
export async function readHook(world: World, id: string): Promise<StoredHook | undefined> {
  const rows = await world.store.read(hookPartition(id))
  const head = rows.find(({ key }) => key === HEAD)
  if (!head) return undefined
  const { hook } = JSON.parse(head.body) as HookHead
  const sealed = rows.find(({ key }) => key === SECRET)?.body ?? null
  return hook.deleted ? undefined : { version: head.version, hook, sealed }
}

/** Writes it as it was read (`version` null: it is new); false when somebody else was first. */
export async function writeHook(
  world: World,
  hook: Hook,
  version: number | null,
  by: Pick<Audited, 'action' | 'by'>,
  sealed: string | null,
): Promise<boolean> {
  const { id, tenant, deleted } = hook
  const entry = { ...by, kind: 'hook', name: id, number: (version ?? 0) + 1 } as const
  const rows: Write[] = [auditRow(world, tenant, entry)]
  if (deleted) rows.push({ op: 'delete', key: SECRET })
  else if (sealed !== null) rows.push({ op: 'put', key: SECRET, body: sealed, expect: 'any' })
  const listed = { under: hooksList(tenant), at: `${iso(hook.created_at)} ${id}` }
  const result = await world.store.commit(hookPartition(id), rows, {
    expect: version,
    body: JSON.stringify({ hook } satisfies HookHead),
    listed: deleted ? undefined : listed,
  })
  return result === 'ok'
}
