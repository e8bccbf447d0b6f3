/**
 * Converts mail to observed facts. Decides which mail counts, which waits, and which is only
 * removed.
 */

import { LATE_AT_ONCE } from '../../core/late-results.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Wake, World } from '../../ports/world.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import type { Mail } from './mailbox.ts'
import type { Pending } from './pending.ts'

/** Returns unread mail, and the part of it that applies to the log as read. */
export function receivable<S extends AnyState, F extends AnyFact>(
  kind: LogType<S, F>,
  run: Committed<S, F>,
  pending: Pending<F>,
  mail: readonly Mail<F>[],
): { readonly unread: readonly Mail<F>[]; readonly fresh: readonly Mail<F>[] } {
  const knownKeys = new Set(run.mail.map(({ key }) => key))
  const unread = mail.filter(({ key }) => !knownKeys.has(key) && !pending.hasSeen(key))
  const { machine, isEarly, isLate } = kind
  const ways = [machine.accepts, isEarly, isLate]
  const fresh = unread.filter(({ fact }) => ways.some((counts) => counts(run.state, fact)))
  return { unread, fresh }
}

/**
 * Returns whether later mail exists. The wake of the later mail processes all mail, so that only
 * one of many concurrently woken workers commits. Mail for an unrecorded spawn stays in the
 * mailbox.
 */
export function isSuperseded<S extends AnyState, F extends AnyFact>(
  { settings }: Pick<World, 'settings'>,
  { isEarly }: LogType<S, F>,
  { state, mail }: Committed<S, F>,
  wake: Pick<Wake, 'mail' | 'suspect'>,
): boolean {
  const { mail: mine, suspect } = wake
  if (settings.singleProcess || suspect || mine === undefined) return false
  // Notices from a child sort after the child's end, although they were sent earlier.
  const isLater = (key: string): boolean => key > mine && !key.startsWith(`${mine}.`)
  return mail.some(({ key, fact }) => isLater(key) && !isEarly(state, fact))
}

/** Moves mail from the mailbox into `pending`, up to the limit of one commit. */
export function drainMailbox<S extends AnyState, F extends AnyFact>(
  { machine, isEarly, isLate, mustTellLate }: LogType<S, F>,
  run: Committed<S, F>,
  pending: Pending<F>,
  subscribed: readonly string[],
): void {
  const subscribedState = { ...run.state, subscribed }
  const late = pending.observed.filter(({ fact }) => mustTellLate(subscribedState, fact)).length
  let places = LATE_AT_ONCE - late - (run.state.outbox.late?.length ?? 0)
  const room = LIMITS.mail_per_commit - pending.taken.length
  const fresh = run.mail.filter(({ key }) => !pending.taken.includes(key)).slice(0, room)
  for (const { key, fact } of fresh) {
    if (isEarly(run.state, fact)) continue
    if (mustTellLate(subscribedState, fact) && places-- <= 0) continue
    const counts = machine.accepts(run.state, fact) || isLate(run.state, fact)
    pending.take(key, counts ? fact : undefined)
  }
}
