/** Planted bugs of fan-outs. */

import { ANNOUNCE, type Bug, bug, FANOUT, patch } from './patch.ts'

/** The same rules where a fan-out keeps them. */
export const FANOUTS: readonly Bug[] = [
  bug(
    'fan-out, rule 16: children that nobody recorded are not cancelled',
    patch(
      'src/core/fanout/evolve.ts',
      'return task.run_id !== null || call === CLOSING || Number(call) < reach',
      'return task.run_id !== null',
    ),
  ),
  bug(
    'fan-out, rule 18: a letter that comes early is dropped',
    patch(
      FANOUT,
      'return taskOf(state, fact.call)?.run_id === null\n}\n\nfunction wakeAt',
      'return false\n}\n\nfunction wakeAt',
    ),
  ),
  bug(
    'fan-out, rule 19: all children at once',
    patch(FANOUT, 'if (found.length >= places) break', 'if (found.length >= places + 1_000) break'),
  ),
  bug(
    'fan-out: a child counts twice',
    patch(FANOUT, 'task?.announce === null && task.run_id ===', 'task?.run_id ==='),
    patch(ANNOUNCE, "news: 'mail', arrived", "news: 'mail', expect: 'any', arrived"),
    patch(
      ANNOUNCE,
      'const key = mailKey(state.spec!.id)',
      'const key = mailKey(state.spec!.id) + Math.random()',
    ),
  ),
  bug(
    'fan-out: nobody looks again at one that waits',
    patch(FANOUT, 'return nextEnd(state) ?? now + RECHECK_MS', 'return nextEnd(state)'),
  ),
  bug(
    'fan-out: a cancel is not checked',
    patch(
      FANOUT,
      'if (state.ended_at !== null || state.cancel) return outbox',
      'if (state.ended_at !== null) return outbox',
    ),
    patch(FANOUT, 'if (cancel) {', 'if (cancel && now < 0) {'),
  ),
]
