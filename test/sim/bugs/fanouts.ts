/** Planted bugs of fan-outs. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

/** The same rules where a fan-out keeps them. */
export const FANOUTS: readonly Bug[] = [
  bug(
    'fan-out, rule 16: children that nobody recorded are not cancelled',
    inside(
      'perhapsCreated',
      'return task.run_id !== null || call === CLOSING || Number(call) < reach',
      'return task.run_id !== null',
    ),
  ),
  bug(
    'fan-out, rule 18: a letter that comes early is dropped',
    inside('machine:isEarly', 'return taskOf(state, fact.call)?.run_id === null', 'return false'),
  ),
  bug(
    'fan-out, rule 19: all children at once',
    inside(
      'machine:spawns',
      'if (effects.length >= places) break',
      'if (effects.length >= places + 1_000) break',
    ),
  ),
  bug(
    'fan-out: a child counts twice',
    inside('machine:accepts', 'task?.announce === null && task.run_id ===', 'task?.run_id ==='),
    inside('performAnnounce', "news: 'mail', arrived", "news: 'mail', expect: 'any', arrived"),
    inside(
      'performAnnounce',
      'const key = mailKey(state.spec!.id)',
      'const key = mailKey(state.spec!.id) + Math.random()',
    ),
  ),
  bug(
    'fan-out: nobody looks again at one that waits',
    inside(
      'fanout/machine:wakeAt',
      'return nextEnd(state) ?? now + RECHECK_MS',
      'return nextEnd(state)',
    ),
  ),
  bug(
    'fan-out: a cancel is not checked',
    inside(
      'machine:pendingEffects',
      'if (state.ended_at !== null || state.cancel) return outbox',
      'if (state.ended_at !== null) return outbox',
    ),
    inside('machine:decide', 'if (cancel) {', 'if (cancel && now < 0) {'),
  ),
]
