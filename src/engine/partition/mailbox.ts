/**
 * Mailbox of a partition: rows that children and sessions add without changing the head row. Each
 * row has an alarm, so it is message and alarm in one (PROTOCOL.md rule 18). The partition's worker
 * converts a row to facts and deletes it in the same commit.
 */

import type { RunFact } from '../../core/run/log/facts.ts'
import { RECHECK_MS } from '../../core/run/machine.ts'
import type { CommitResult, Lane, Row, World, Write } from '../../ports/world.ts'
import { MAILBOX } from './keys.ts'
import { stored } from './stored.ts'

export interface Mail<F = RunFact> {
  readonly key: string
  readonly fact: F
}

export const isMail = ({ key }: { readonly key: string }): boolean => key.startsWith(MAILBOX)

/** Parses the mail among a partition's rows. */
export const mailIn = <F>(rows: readonly Row[]): Mail<F>[] =>
  rows.filter(isMail).map(({ key, body }) => ({ key, fact: stored<object>('mail', body, {}) as F }))

export interface Posting {
  readonly partition: string
  readonly key: string
  readonly mail: unknown
  readonly lane: Lane
  /** Whether the reader has started, which gives its wake precedence; default: true. */
  readonly started?: boolean
  /** Estimated number of facts in the reader's log, if the sender knows it. */
  readonly facts?: number
  /** Condition of the write. `any` permits overwriting, because the content would be the same. */
  readonly expect?: 'absent' | 'any'
  /** Commits the mail row; by default in a separate commit. */
  readonly commit?: (row: Write) => Promise<CommitResult>
  /** Kind of feed notice that local watchers of the partition receive immediately. */
  readonly news?: 'mail' | 'changed'
  /**
   * Returns whether the mail row exists or was already read. A failed commit can be a storage
   * failure (PROTOCOL.md rule 6).
   */
  readonly arrived: () => Promise<boolean>
}

/** Posts mail and wakes its reader. `unknown`: the store did not report the outcome. */
export async function post(world: World, posting: Posting): Promise<'posted' | 'unknown'> {
  const { partition, key, mail, lane, started = true, expect = 'absent', news } = posting
  const alarm = { at: world.clock.now() + RECHECK_MS, lane, started }
  const row: Write = { op: 'put', key, body: JSON.stringify(mail), expect, alarm }
  const commit = posting.commit ?? ((write: Write) => world.store.commit(partition, [write]))
  if ((await commit(row)) !== 'ok' && !(await posting.arrived())) return 'unknown'
  if (news === 'mail') world.feed.publish(partition, { type: 'changed', mail: { key, fact: mail } })
  if (news === 'changed') world.feed.publish(partition, { type: 'changed' })
  const { facts } = posting
  await world.queue.send([{ partition, lane, started, staleCount: 0, mail: key, facts }])
  return 'posted'
}
