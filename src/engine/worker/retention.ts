/**
 * Deletes a root run or fan-out when its retention ends, as its last outbox entry (PROTOCOL.md rule
 * 40). Descendants with their workspace files are deleted first, then all bodies. The root's rows
 * are deleted last, because they contain the entry. A crash in between only repeats the work: rows
 * that name bodies are deleted after the bodies. A bucket is listed only if a head records objects;
 * unrecorded objects are left to the sweep (`sweep.ts`).
 */

import { SNAPSHOT_FACTS } from '../../core/run/state/snapshot.ts'
import type { World } from '../../ports/world.ts'
import { deleteFile, listFiles } from '../layers/files.ts'
import { childrenNamed } from '../logs/children.ts'
import type { AlarmedHead } from '../partition/format.ts'
import { homeOf } from '../partition/home.ts'
import {
  childrenList,
  parsePartition,
  runPartition,
  snapshotPartition,
  workspace,
} from '../partition/keys.ts'
import { forget } from '../partition/log.ts'
import { alarmedHeadOf } from '../partition/stored.ts'
import { deleteBodies } from '../tenant/blobs.ts'

const PAGE = 100

/**
 * Deletes a run or fan-out and all its descendants, idempotently. Returns false if a descendant is
 * active or has a pending effect; that descendant and its ancestors are kept for a later pass.
 * `head` is the root's head, if known.
 */
export async function deleteTree(
  world: World,
  partition: string,
  head?: AlarmedHead,
): Promise<boolean> {
  const { tenant, id } = parsePartition(partition)
  const [row] = head ? [] : await world.store.heads([partition])
  const root = { partition, head: head ?? (row ? alarmedHeadOf(row.body) : DELETED_HEAD) }
  const remaining = await deleteRows(world, root, false)
  if (remaining !== 'bodies') return remaining === 'nothing'
  await deleteBodies(world, homeOf(tenant, id))
  return (await deleteRows(world, root, true)) === 'nothing'
}

interface Node {
  readonly partition: string
  readonly head: AlarmedHead
}
/** Assumed head of a root whose rows are deleted; its bodies and files may still exist. */
const DELETED_HEAD: AlarmedHead = {
  wake_at: null,
  redeliveries: 0,
  listed: null,
  bodies: true,
  files: true,
}

/**
 * Remaining content of a tree, by ascending severity: rows that name bodies stay until the bodies
 * are deleted, and active runs are kept.
 */
const REMAINDERS = ['nothing', 'bodies', 'life'] as const
type Remainder = (typeof REMAINDERS)[number]
const worse = (current: Remainder, other: Remainder): Remainder =>
  REMAINDERS.indexOf(current) > REMAINDERS.indexOf(other) ? current : other

/**
 * Deletes the rows of a run and its descendants. `all` includes rows that name bodies; those bodies
 * must already be deleted.
 */
async function deleteRows(
  world: World,
  { partition, head }: Node,
  all: boolean,
): Promise<Remainder> {
  const { tenant, id } = parsePartition(partition)
  let remaining: Remainder = !all && mayHaveBodies(world, head) ? 'bodies' : 'nothing'
  for await (const node of below(world, { partition, head }))
    remaining = worse(remaining, isAtRest(node.head) ? await deleteRows(world, node, all) : 'life')
  if (remaining !== 'nothing') return remaining
  if (partition === runPartition(tenant, id) && mayHaveFiles(world, head))
    await deleteWorkspace(world, tenant, id)
  if (mayHaveSnapshot(world, head)) await world.store.drop(snapshotPartition(partition))
  await world.store.drop(partition)
  forget(world.store, partition)
  return remaining
}

/** Yields the listed children, and then the children that only the log names, because lists lag. */
async function* below(world: World, { partition, head }: Node): AsyncGenerator<Node> {
  const { tenant, id } = parsePartition(partition)
  const listedChildren = new Set<string>()
  let cursor: string | undefined
  for (;;) {
    const rows = await world.store.list(childrenList(tenant, id), cursor, PAGE)
    for (const child of rows) {
      listedChildren.add(child.partition)
      yield { partition: child.partition, head: alarmedHeadOf(child.body) }
    }
    cursor = rows.at(-1)?.at
    if (rows.length < PAGE) break
  }
  const namedChildren = head.children ? await childrenNamed(world, partition) : []
  const unlisted = namedChildren.filter((child) => !listedChildren.has(child))
  for (let at = 0; at < unlisted.length; at += PAGE) {
    const page = unlisted.slice(at, at + PAGE)
    const rows = await world.store.heads(page)
    for (const [index, row] of rows.entries())
      if (row) yield { partition: page[index]!, head: alarmedHeadOf(row.body) }
  }
}

/** Reports whether a child has ended and its outbox is empty; its root's deletion deletes it. */
const isAtRest = ({ wake_at }: AlarmedHead): boolean => wake_at === null

/**
 * Reports whether workspace files may exist. In the folder of a single process, programs also write
 * files, and listing is cheap.
 */
const mayHaveFiles = ({ settings }: World, { files }: AlarmedHead): boolean =>
  settings.singleProcess || files === true

/** Reports whether message bodies may exist; a snapshot can name bodies that no fact names. */
const mayHaveBodies = (world: World, head: AlarmedHead): boolean =>
  head.bodies === true || mayHaveSnapshot(world, head)

const mayHaveSnapshot = ({ settings }: World, { seq }: AlarmedHead): boolean =>
  (seq ?? Number.POSITIVE_INFINITY) >= (settings.snapshotFacts ?? SNAPSHOT_FACTS)

async function deleteWorkspace(world: World, tenant: string, id: string): Promise<void> {
  const space = { world, tenant }
  let cursor: string | undefined
  do {
    const page = await listFiles(space, workspace(id), cursor)
    for (const { path } of page.files) await deleteFile(space, path, 'any')
    cursor = page.cursor
  } while (cursor !== undefined)
}
