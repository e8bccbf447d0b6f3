/**
 * Letters that came when their partition was gone: whoever wrote them had looked before it was
 * dropped. Nobody will ever read them, so the clock, which their alarms keep calling, removes them.
 */

import type { World } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { isMail } from '../partition/mailbox.ts'

/** Well below what one commit may hold in any store. */
const AT_ONCE = 50

/**
 * Letters only, and only where no head stands: a letter's addressee exists before it is written to,
 * and everything else that a partition holds comes with its head.
 */
export async function removeOrphanRows(world: World, partition: string): Promise<void> {
  const rows = await world.store.read(partition)
  // The index of alarms lags: there may be nothing any more, or a head again.
  if (rows.some(({ key }) => key === HEAD)) return
  const mail = rows.filter(isMail).map(({ key }) => key)
  for (let at = 0; at < mail.length; at += AT_ONCE) {
    const deletes = mail.slice(at, at + AT_ONCE).map((key) => ({ op: 'delete', key }) as const)
    await world.store.commit(partition, deletes)
  }
}
