/** Planted bugs of wakes that are never sent, where the minute clock brings everything all the same. */

import { ADVANCE, type Bug, bug, patch, ROWS, TICK } from './patch.ts'

export const WAKES: readonly Bug[] = [
  bug(
    'rule 31: nobody is sent to a run when its time is over',
    patch(ADVANCE, 'if (delay < NEAR_MS) await', 'if (delay < 0) await'),
  ),
  bug(
    'rule 31: whoever hands something in wakes nobody',
    patch('src/engine/partition/append.ts', 'if (run) await', "if (run && partition === '') await"),
  ),
  bug(
    'rule 31: the turn of a session wakes nobody',
    patch(
      'src/engine/session/advance.ts',
      'await post(world, {\n      partition: run,',
      "await post({ ...world, queue: { send: async () => 'lost' as const } }, {\n      partition: run,",
    ),
  ),
  bug(
    'rule 31: the tick reads one page of what is due',
    patch(TICK, '    cursor = due.cursor\n', ''),
  ),
  bug(
    'real: who finds a run held looks again after a minute',
    patch(ROWS, 'return dead > now ? dead', 'return dead > now && dead < 0 ? dead'),
  ),
  bug(
    'rule 37: a node that comes back leaves all to the minute clock',
    patch(
      TICK,
      'world.clock.now() + SOON_MS, async (entries)',
      'world.clock.now() - 1e12, async (entries)',
    ),
  ),
  bug(
    'a call that never ends is waited for',
    patch(
      'src/engine/worker/port-timeouts.ts',
      'if (pending.delete(first)) first.expire?.()',
      'pending.delete(first)',
    ),
    patch(
      'src/engine/worker/inflight.ts',
      'const last = until + STOP_MS',
      'const last = Number.MAX_SAFE_INTEGER',
    ),
  ),
  bug(
    'a post that never ends keeps its place',
    patch(
      'src/engine/worker/port-timeouts.ts',
      'request.timeoutMs + GRACE_MS,',
      'Number.MAX_SAFE_INTEGER,',
    ),
  ),
]
