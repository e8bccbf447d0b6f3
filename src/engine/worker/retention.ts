/**
 * The last debt of a root is its own deletion, so long after its end (protocol rule 40): first the
 * runs below it, then the files of their workspaces, its own rows last, because they hold the debt.
 * A death in between only means that it is done again. Blobs by digest stay: others may share them.
 */

import type { World } from '../../ports/world.ts'
import {
  childrenList,
  fileObject,
  parsePartition,
  runPartition,
  snapshotPartition,
  workspace,
} from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { forget } from '../partition/log.ts'
import type { AnyFact, AnyState, Kind } from '../partition/log-type.ts'
import type { AlarmedHead } from './tick.ts'

/** When it goes, ms since 1970; undefined when it is kept, or somebody else's end decides. */
export function goneAt<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: Kind<S, F>,
  state: S,
): number | undefined {
  const { retentionMs } = world.settings
  if (retentionMs === null || state.ended_at === null || !kind.isRoot(state)) return undefined
  return kind.owesNothing(state) ? state.ended_at + retentionMs : undefined
}

export const isDueToGo = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: Kind<S, F>,
  state: S,
): boolean => world.clock.now() >= (goneAt(world, kind, state) ?? Number.POSITIVE_INFINITY)

/** The tick has brought its deletion nearer, because of a letter or an index that are over. */
export const isPushed = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: Kind<S, F>,
  run: Committed<S, F> | undefined,
): boolean =>
  run !== undefined && run.head.resends > 0 && goneAt(world, kind, run.state) !== undefined

const PAGE = 100

/**
 * Deletes a run or fan-out and everything below it. Idempotent. False when somebody below still
 * lives or owes: then that one stays, with all above it, until a later look (the tick's pushes).
 */
export async function deleteTree(world: World, partition: string): Promise<boolean> {
  const { tenant, id } = parsePartition(partition)
  let before: string | undefined
  let whole = true
  for (;;) {
    const rows = await world.store.list(childrenList(tenant, id), before, PAGE)
    for (const child of rows) {
      whole = isAtRest(child.body) && (await deleteTree(world, child.partition)) && whole
    }
    before = rows.at(-1)?.at
    if (rows.length < PAGE) break
  }
  if (!whole) return false
  if (partition === runPartition(tenant, id)) await deleteWorkspace(world, tenant, id)
  await world.store.drop(snapshotPartition(partition))
  await world.store.drop(partition)
  forget(world.store, partition)
  return true
}

/** A child that has ended and owes nobody has no alarm; its deletion is its root's. */
const isAtRest = (head: string): boolean => (JSON.parse(head) as AlarmedHead).wake_at === null

async function deleteWorkspace(world: World, tenant: string, id: string): Promise<void> {
  const prefix = fileObject(tenant, workspace(id))
  let cursor: string | undefined
  do {
    const page = await world.objects.list(prefix, cursor)
    for (const { key } of page.objects) await world.objects.delete(key, 'any')
    cursor = page.cursor
  } while (cursor !== undefined)
}
