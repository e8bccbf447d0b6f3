/** Planted bugs of wakes that are never sent, where the minute clock brings everything all the same. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, rareBug } from './bug.ts'

export const WAKES: readonly Bug[] = [
  bug(
    'rule 31: nobody is sent to a run when its time is over',
    inside('Executor.afterwards', 'if (delay < NEAR_MS) await', 'if (delay < 0) await'),
  ),
  bug(
    'rule 31: whoever hands something in wakes nobody',
    inside('append', 'if (run) await wakeLog', "if (run && partition === '') await wakeLog"),
  ),
  rareBug(
    'rule 31: nobody is sent for the alarm that a request has set',
    inside('append', 'if (run) await wakeInTime', "if (run && partition === '') await wakeInTime"),
  ),
  bug(
    'rule 31: the turn of a session wakes nobody',
    inside(
      'giveTurn',
      'await post(world, {',
      "await post({ ...world, queue: { send: async () => 'lost' as const } }, {",
    ),
  ),
  bug(
    'rule 31: the tick reads one page of what is due',
    inside('eachDue', '    cursor = due.cursor\n', ''),
  ),
  bug(
    'real: who finds a run held looks again after a minute',
    inside('recheckAt', 'return dead > now ? dead', 'return dead > now && dead < 0 ? dead'),
  ),
  bug(
    'rule 37: a node that comes back leaves all to the minute clock',
    inside(
      'resume',
      'world.clock.now() + SOON_MS, async (entries)',
      'world.clock.now() - 1e12, async (entries)',
    ),
  ),
  bug(
    'a call that never ends is waited for',
    inside('deadlines', 'if (pending.delete(first)) first.expire?.()', 'pending.delete(first)'),
    inside(
      'Inflight.#expire',
      'const last = until + STOP_MS',
      'const last = Number.MAX_SAFE_INTEGER',
    ),
  ),
  bug(
    'a post that never ends keeps its place',
    inside('withTimeouts', 'request.timeoutMs + GRACE_MS,', 'Number.MAX_SAFE_INTEGER,'),
  ),
]
