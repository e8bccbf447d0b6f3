/**
 * Deletes a root when its retention ends, as its last outbox entry (protocol rule 40): first the
 * runs below it, then the files of their workspaces, its own rows last, because they hold the
 * entry. A crash in between only repeats the work. Blobs by digest stay: others may share them.
 */

import type { World } from '../../ports/world.ts'
import { deleteFile, listFiles } from '../layers/files.ts'
import {
  childrenList,
  parsePartition,
  runPartition,
  snapshotPartition,
  workspace,
} from '../partition/keys.ts'
import { forget } from '../partition/log.ts'
import { alarmedHeadOf } from '../partition/stored.ts'

const PAGE = 100

/**
 * Deletes a run or fan-out and everything below it. Idempotent. False when a run below still lives
 * or has a pending effect: then that one stays, with all above it, until a later pass (the tick's
 * pushes).
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

/** An ended child with an empty outbox has no alarm; its deletion is its root's. */
const isAtRest = (head: string): boolean => alarmedHeadOf(head).wake_at === null

async function deleteWorkspace(world: World, tenant: string, id: string): Promise<void> {
  const space = { world, tenant }
  let cursor: string | undefined
  do {
    const page = await listFiles(space, workspace(id), cursor)
    for (const { path } of page.files) await deleteFile(space, path, 'any')
    cursor = page.cursor
  } while (cursor !== undefined)
}
