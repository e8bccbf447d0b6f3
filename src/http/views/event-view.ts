/** Facts of either kind of log, a run's or a fan-out's, as events: the same envelope and words. */

import type { FanoutFact } from '../../core/fanout/facts.ts'
import { TERMINAL_FANOUT_FACTS } from '../../core/fanout/facts.ts'
import { fanoutEvent } from '../../core/fanout/view.ts'
import { isFanoutId } from '../../core/run/decide/child.ts'
import type { RunFact, Stamped } from '../../core/run/log/facts.ts'
import { TERMINAL_FACTS } from '../../core/run/log/facts.ts'
import type { Event } from '../../core/run/views/event.ts'
import { eventOf } from '../../core/run/views/event.ts'

export type LogFact = RunFact | FanoutFact

/** `id` names the run or fan-out in whose log the fact stands, and so says which kind it is. */
export const shown = (id: string, stamped: Stamped<LogFact>): Event =>
  isFanoutId(id)
    ? fanoutEvent(id, stamped as Stamped<FanoutFact>)
    : eventOf(id, stamped as Stamped<RunFact>)

const LAST: readonly string[] = [...TERMINAL_FACTS, ...TERMINAL_FANOUT_FACTS]

/** No fact follows it. */
export const isLast = ({ type }: LogFact): boolean => LAST.includes(type)
