/** Builds the head row of a commit: lease, alarm, and outbox of the log. */

import { NO_LATE_RESULTS } from '../../core/late-results.ts'
import type { Listing, World } from '../../ports/world.ts'
import { goneAt } from './expiry.ts'
import { FIRST_TURN, FORMAT, type Head } from './format.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import { type Hold, LEASE_MS, wakeAt } from './rows.ts'

export type HeadOf<_S extends AnyState> = Head<unknown>

export interface CommitBy {
  readonly commit: string
  readonly epoch: number
  readonly hold: Hold
  readonly now: number
  readonly worker: string
  /** Time of the commit's last new fact, if any. */
  readonly at: number | undefined
  /** Kinds of objects that the commit's facts name (`objectsNamed`). */
  readonly named: Pick<Head, 'bodies' | 'files' | 'children'>
}

export function headAfter<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  previous: HeadOf<S> | undefined,
  state: S,
  by: CommitBy,
): HeadOf<S> {
  const { at, now, hold } = by
  const deletedAt = goneAt(world, kind, state)
  const proves = at !== undefined && hold !== 'leave'
  const leases = {
    hold: { worker: by.worker, until: now + LEASE_MS },
    free: null,
    leave: previous?.lease ?? null,
  }
  return {
    format: FORMAT,
    seq: state.seq,
    at: at ?? previous?.at ?? now,
    commit: by.commit,
    epoch: by.epoch,
    lease: leases[hold],
    outbox: state.outbox,
    late_results: state.late_results === NO_LATE_RESULTS ? undefined : state.late_results,
    wake_at: wakeAt(kind, state, now, previous?.wake_at ?? null, hold) ?? deletedAt ?? null,
    redeliveries: at === undefined && deletedAt === undefined ? (previous?.redeliveries ?? 0) : 0,
    listed: previous?.listed ? tagged(kind, previous.listed, state) : null,
    ...(proves ? {} : { crashes: previous?.crashes }),
    bodies: by.named.bodies ?? previous?.bodies,
    files: by.named.files ?? previous?.files,
    children: by.named.children ?? previous?.children,
    ended: deletedAt === undefined ? undefined : true,
    turn: kind.turnOf(state) ?? FIRST_TURN,
    view: kind.view(state),
  }
}

/** Returns a log's list entry with the state's current tags. */
export function tagged<S extends AnyState, F extends AnyFact>(
  kind: LogType<S, F>,
  listing: Listing,
  state: S,
): Listing {
  const tags = kind.tags?.(state)
  return tags === undefined || tags === listing.tags ? listing : { ...listing, tags }
}
