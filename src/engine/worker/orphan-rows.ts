/**
 * Orphan rows: mail that arrived when its partition was gone, because its sender had checked before
 * the drop. Nobody will ever read it, so the clock, which its alarms keep calling, removes it.
 */

import type { World } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { isMail } from '../partition/mailbox.ts'

/** Well below what one commit may hold in any store. */
const AT_ONCE = 50

/**
 * Mail only, and only where no head stands: an addressee exists before mail is sent to it, and
 * everything else that a partition holds comes with its head.
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
