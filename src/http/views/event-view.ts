/** Facts of either kind of log, a run's or a fan-out's, as events: the same envelope and words. */

import type { FanoutFact } from '../../core/fanout/facts.ts'
import { TERMINAL_FANOUT_FACTS } from '../../core/fanout/facts.ts'
import { fanoutEvent } from '../../core/fanout/view.ts'
import { isFanoutId } from '../../core/run/decide/child.ts'
import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import { TERMINAL_FACTS } from '../../core/run/log/facts.ts'
import type { Event } from '../../core/run/views/event.ts'
import { eventOf } from '../../core/run/views/event.ts'

export type LogFact = RunFact | FanoutFact

/** `id` names the run or fan-out of the log, and therefore its kind. */
export const eventView = (id: string, entry: LoggedFact<LogFact>): Event =>
  isFanoutId(id)
    ? fanoutEvent(id, entry as LoggedFact<FanoutFact>)
    : eventOf(id, entry as LoggedFact<RunFact>)

const LAST: readonly string[] = [...TERMINAL_FACTS, ...TERMINAL_FANOUT_FACTS]

/** No fact follows it. */
export const isLast = ({ type }: LogFact): boolean => LAST.includes(type)
