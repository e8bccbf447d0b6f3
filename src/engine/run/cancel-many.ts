/**
 * Cancels the runs of a list that match a filter, newest first. Each cancellation is committed and
 * audited as a single one is; its outcome is not awaited.
 */

import { isFound, type RunFilter, wantedTags } from '../../core/run/views/tags.ts'
import type { RunView } from '../../core/run/views/view.ts'
import type { World } from '../../ports/world.ts'
import { command } from '../logs/run.ts'
import { runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { auditCancel } from './cancel.ts'

/** Active runs to cancel; all conditions must match. */
export interface CancelFilter {
  readonly filter: RunFilter
  /** Inclusive start and exclusive end of the creation time, in RFC 3339. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface CancelledPage {
  /** Number of runs whose cancellation this page committed. */
  readonly cancelled: number
  /** List position at which the next page continues; undefined at the end of the list. */
  readonly next: string | undefined
}

/** Number of cancellations committed concurrently. */
const CONCURRENT = 16
/** Number of list sections that one page reads; each has at most 10,000 index entries. */
const SECTIONS = 20
const LIVE = ['queued', 'running', 'waiting'] as const

/** Cancels at most `limit` active runs after the list position `after`. */
export async function cancelPage(
  world: World,
  tenant: string,
  { filter, from, to }: CancelFilter,
  page: {
    readonly after: string | undefined
    readonly limit: number
    readonly by: string
    readonly reason: string | null
  },
): Promise<CancelledPage> {
  const under = runsList(tenant)
  const active = { ...filter, status: filter.status ?? LIVE }
  let last = page.after
  let cancelled = 0
  for (let section = 0; section < SECTIONS; section += 1) {
    const { rows, reached: position } = await world.store.find(under, {
      ...wantedTags(active),
      ...{ order: 'newest', above: from, below: last ?? to, limit: page.limit - cancelled },
    })
    const matching = rows.filter(({ body }) => isFound(headOf<RunView>(body).view, active))
    const partitions = matching.map(({ partition }) => partition)
    cancelled += await cancelAll(world, partitions, page)
    last = position
    if (position === undefined || cancelled >= page.limit) break
  }
  return { cancelled, next: last }
}

async function cancelAll(
  world: World,
  partitions: readonly string[],
  { by, reason }: { readonly by: string; readonly reason: string | null },
): Promise<number> {
  let cancelled = 0
  for (let at = 0; at < partitions.length; at += CONCURRENT) {
    const batch = partitions.slice(at, at + CONCURRENT)
    const done = await Promise.all(
      batch.map(async (partition) => {
        const requested = { type: 'cancel.requested', by: 'api', reason } as const
        const run = await command(world, partition, [requested])
        if (run) await auditCancel(world, partition, run.state, { by, reason })
        return run !== undefined && run.state.cancel !== null
      }),
    )
    cancelled += done.filter(Boolean).length
  }
  return cancelled
}
