/**
 * Old pages of the sealed audit go, with the rows that their entries were copied from. The chain is
 * verified from the place before the first page that is kept.
 */

import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { chainPage, parsePartition } from '../partition/keys.ts'
import { readPage, readTip, type Tip, writePage } from './pages.ts'

/** Of one pass. */
const PASS_PAGES = 5

/**
 * The floor is raised first: who verifies meanwhile misses nothing that is said to be there. A pass
 * that died before the page was gone is finished by the next one.
 */
export async function dropOld(world: World, tenant: string, tip: Tip): Promise<void> {
  const keptMs = world.settings.auditRetentionMs ?? null
  if (keptMs === null && tip.head.dropping === undefined) return
  const until = keptMs === null ? '' : iso(world.clock.now() - keptMs)
  let now: Tip | undefined = tip
  for (let count = 0; now && count < PASS_PAGES; count += 1) {
    const { floor, dropping, page } = now.head
    if (dropping === undefined) {
      if (floor >= page || !(await isOver(world, tenant, floor, until))) return
      const head = { ...now.head, floor: floor + 1, dropping: floor }
      if (!(await writePage(world, tenant, { version: now.version, head }))) return
    } else {
      await dropPage(world, tenant, dropping)
      const { dropping: _, ...head } = now.head
      if (!(await writePage(world, tenant, { version: now.version, head }))) return
    }
    now = await readTip(world, tenant)
  }
}

async function isOver(world: World, tenant: string, page: number, until: string) {
  const { head } = await readPage(world, tenant, page)
  return (head?.sealed_to ?? until) < until
}

async function dropPage(world: World, tenant: string, page: number): Promise<void> {
  const { links } = await readPage(world, tenant, page)
  for (const { row } of links) {
    if (parsePartition(row.partition).kind === 'audit') await world.store.drop(row.partition)
    else await world.store.commit(row.partition, [{ op: 'delete', key: row.key }])
  }
  await world.store.drop(chainPage(tenant, page))
}
