/** Bugs of how a run waits for a model that does not answer. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const OUTAGES: readonly Bug[] = [
  bug(
    'outage: the clock of the run goes on',
    inside('state/state:deadline', ' || isPatient(state)', ''),
  ),
  bug(
    'outage: its time counts once it is over',
    inside(
      'modelAnswers',
      'if (isPatient(draft)) draft.paused_ms += Math.max(0, at - outage.since)',
      '',
    ),
  ),
  bug(
    'outage: three attempts are the end of patience',
    inside('askAgainAt', 'now >= end ||', 'attempt >= 3 ||'),
  ),
  bug(
    'outage: pauses do not grow',
    inside('pauseMs', 'FIRST_MS * 2 ** Math.min(attempt - 1, 30)', 'FIRST_MS'),
  ),
  bug(
    'outage: each failure begins a new one',
    inside('outcomeOf', 'state.outage?.since ?? now', 'now'),
    inside('parking:failed', 'draft.outage?.since ?? Math.min(since, at)', 'at'),
  ),
  bug(
    'outage: patience goes on for ever',
    inside('askAgainAt', 'now >= end || now + floor > end', 'false'),
    inside(
      'askAgainAt',
      'Math.min(end, now + pauseMs(failed, floor))',
      'now + pauseMs(failed, floor)',
    ),
  ),
  bug(
    'outage: nobody looks again',
    inside(
      'run/machine:wakeAt',
      "state.waiting?.on === 'model' ? state.waiting.until : null",
      'null',
    ),
  ),
]
