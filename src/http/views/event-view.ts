/** Converts facts of a run's or a fan-out's log to API events with the same envelope and terms. */

import type { FanoutFact } from '../../core/fanout/facts.ts'
import { TERMINAL_FANOUT_FACTS } from '../../core/fanout/facts.ts'
import { fanoutEvent } from '../../core/fanout/view.ts'
import { isFanoutId } from '../../core/run/decide/child.ts'
import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import { TERMINAL_FACTS } from '../../core/run/log/facts.ts'
import type { Event } from '../../core/run/views/event.ts'
import { eventOf } from '../../core/run/views/event.ts'

export type LogFact = RunFact | FanoutFact

/**
 * Creates an API event; `id` is the ID of the log's run or fan-out and determines the kind of
 * event.
 */
export const eventView = (id: string, entry: LoggedFact<LogFact>): Event =>
  isFanoutId(id)
    ? fanoutEvent(id, entry as LoggedFact<FanoutFact>)
    : eventOf(id, entry as LoggedFact<RunFact>)

const LAST: readonly string[] = [...TERMINAL_FACTS, ...TERMINAL_FANOUT_FACTS]

/** Reports whether a fact is the last of its log. */
export const isLast = ({ type }: LogFact): boolean => LAST.includes(type)
