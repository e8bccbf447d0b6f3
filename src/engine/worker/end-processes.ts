/** Ends the long-running processes of ended runs; the minute clock searches for such processes. */

import type { World } from '../../ports/world.ts'
import { headOf } from '../partition/stored.ts'

export async function endProcesses({ store, processes }: World): Promise<void> {
  const owners = processes?.owners() ?? []
  if (owners.length === 0) return
  const heads = await store.heads(owners)
  for (const [index, owner] of owners.entries()) {
    const head = heads[index]
    // The row of a tenant that is being deleted has no text.
    const view = head?.body && headOf<{ readonly ended_at: string | null }>(head.body).view
    if (!view || view.ended_at !== null) processes!.end(owner)
  }
}
