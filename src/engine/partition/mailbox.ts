/**
 * The mailbox of a partition: rows that children and sessions put beside a log or a session without
 * touching its head. A row brings its own alarm, so it is message and alarm in one (protocol rule
 * 18); the worker of the partition turns it into facts and deletes it in the same commit.
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

/** The mail among the rows of a partition, parsed. */
export const mailIn = <F>(rows: readonly Row[]): Mail<F>[] =>
  rows.filter(isMail).map(({ key, body }) => ({ key, fact: stored<object>('mail', body, {}) as F }))

export interface Posting {
  readonly partition: string
  readonly key: string
  readonly mail: unknown
  readonly lane: Lane
  /** Whether the reader has begun and goes before queued ones; default: yes. */
  readonly started?: boolean
  /** About how many facts its log has, if the sender knows. */
  readonly facts?: number
  /** `any`: a row of this key may be written again, because it would say the same. */
  readonly expect?: 'absent' | 'any'
  /** How the row is committed; default: by itself. */
  readonly commit?: (row: Write) => Promise<CommitResult>
  /** The notice that watchers of the partition in this process see at once. */
  readonly news?: 'mail' | 'changed'
  /** Whether it lies there or was read: a refusal alone may be the store's trouble (rule 6). */
  readonly arrived: () => Promise<boolean>
}

/** Posts one row and wakes its reader. `unknown`: the store did not say what became of it. */
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
