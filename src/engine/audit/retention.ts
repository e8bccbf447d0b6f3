/**
 * Retention of the audit log: deletes pages of the chain whose entries are too old, together with
 * the rows of these entries. Verification then starts at the first page that is kept.
 */

import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { auditPartition, chainPage, parsePartition } from '../partition/keys.ts'
import {
  pageHeadOf,
  readPage,
  readTip,
  type Tip,
  versionIn,
  writePage,
  writePointer,
} from './chain-pages.ts'

/** Maximum number of pages deleted per pass. */
const PASS_PAGES = 5

/**
 * Deletes expired pages. The floor is raised first, so that a concurrent export misses no page that
 * it announces. A later pass completes a deletion that a crash interrupted.
 */
export async function deleteExpired(world: World, tenant: string, tip: Tip): Promise<void> {
  const retentionMs = world.settings.auditRetentionMs ?? null
  if (world.settings.paused || (retentionMs === null && tip.head.dropping === undefined)) return
  const until = retentionMs === null ? '' : iso(world.clock.now() - retentionMs)
  let current: Tip | undefined = tip
  for (let count = 0; current && count < PASS_PAGES; count += 1) {
    const { dropping, ...head } = current.head
    const { version } = current
    if (dropping !== undefined) {
      await deletePage(world, tenant, dropping)
      if (!(await writePage(world, tenant, { version, head }))) return
    }
    const { floor, page } = head
    if (dropping === undefined) {
      if (floor >= page || !(await isExpired(world, tenant, floor, until))) return
      // Readers follow the pages from the pointer, so it must not name a deleted page.
      if (!(await writePointer(world, tenant, page))) return
      const raised = { ...head, floor: floor + 1, dropping: floor }
      if (!(await writePage(world, tenant, { version, head: raised }))) return
      count -= 1
    }
    current = await readTip(world, tenant)
  }
}

async function isExpired(world: World, tenant: string, page: number, until: string) {
  const [row] = await world.store.heads([chainPage(tenant, page)])
  // A page that was created meanwhile has the floor from before the deletion.
  return !row || (pageHeadOf(row.body).sealed_to ?? '') < until
}

async function deletePage(world: World, tenant: string, page: number): Promise<void> {
  const { links } = await readPage(world, tenant, page)
  for (const { row, entry } of links) {
    const version = versionIn(entry)
    // A damaged or imported link may name any row; only rows of the tenant's entries are deleted.
    if (row.key !== `a/${version}`) continue
    const { tenant: owner, kind } = parsePartition(row.partition)
    await world.store.drop(auditPartition(tenant, version))
    if (kind !== 'audit' && (owner === tenant || owner === '_'))
      await world.store.commit(row.partition, [{ op: 'delete', key: row.key }])
  }
  await world.store.drop(chainPage(tenant, page))
}
