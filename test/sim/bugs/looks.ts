/** Planted bugs of wakes, of looks at runs that may be killing their workers, and of what they begin. */

import {
  ADVANCE,
  ANNOUNCE,
  type Bug,
  bug,
  EVOLVE,
  HEAD,
  MOVE,
  patch,
  rareBug,
  SPAWN,
  TICK,
  TIMERS,
  TOOL,
} from './patch.ts'

const CLAIM = 'src/engine/worker/crash-count.ts'
const CLAIMS = 'src/core/crash-count.ts'
const CREATE = 'src/engine/partition/create.ts'
const WRITE = 'src/engine/tools/file-edit.ts'

const NO_PAUSE = patch(CLAIMS, "if (now < pause) return { kind: 'later', at: pause }", '')

const ANY_START = patch(
  'src/core/run/transcript.ts',
  'const pin = state.started?.pin ?? null',
  'const pin = null',
)

export const LOOKS: readonly Bug[] = [
  bug(
    'rule 12: what must not be doubled begins at the end of a lease',
    patch(TIMERS, 'this.#since !== undefined && now < this.startDeadline', 'true'),
    patch(TOOL, 'world.clock.monotonic() >= startDeadline', 'false'),
  ),
  bug(
    'rule 13: the result of a once call waits like any other',
    patch(ADVANCE, 'if (this.#handlers.isOnce(one.effect)) this.#flush.hurry()', ''),
  ),
  bug(
    'rule 14: an edit that is repeated is planned anew',
    patch(WRITE, 'told ?? (await plan(folder, given))', 'await plan(folder, given)'),
  ),
  bug(
    'rule 17: the rest is not cancelled',
    patch(EVOLVE, 'draft.spec?.join.cancel_rest && fact', 'false && fact'),
  ),
  bug(
    'rule 20: an announce carries all that was said',
    patch(ANNOUNCE, 'byteLength(text) <= LIMITS.announce_bytes', 'byteLength(text) >= 0'),
  ),
  bug(
    'rule 21: a result after the release is not told',
    patch(EVOLVE, "!child.given_up || announce.status === 'completed'", '!child.given_up'),
  ),
  bug(
    'rule 29: the policy counts as it was when the model asked',
    patch(
      'src/engine/run/effects/ruling.ts',
      "if (ruling?.rule === 'deny') return deniedText(call.tool, ruling)",
      "if (ruling?.rule === 'deny') return undefined",
    ),
  ),
  bug(
    'rule 31: who creates a run wakes nobody',
    patch(
      CREATE,
      'return world.queue.send([{ partition, ...lane, staleCount: 0 }])',
      "return lane && 'ok'",
    ),
    patch(CREATE, 'export function wakeLog', 'export async function wakeLog'),
  ),
  bug(
    'rule 31: who announces wakes nobody',
    patch(
      ANNOUNCE,
      'await post(world, {',
      "await post({ ...world, queue: { send: async () => 'lost' as const } }, {",
    ),
  ),
  bug(
    'rule 32: wakes do not say what has started',
    patch('src/engine/logs/run.ts', 'started: started !== null', 'started: started === undefined'),
  ),
  bug(
    'rule 31: letters to a session at rest are sent again each minute',
    patch(TICK, " && parsePartition(partition).kind !== 'session'", ''),
  ),
  bug('rule 34: looks do not back off', NO_PAUSE),
  bug(
    'rule 34: suspects do not go alone',
    patch(
      MOVE,
      "verdict.kind === 'alone' ? inIsolation(world, counted) : beside(world, counted)",
      'beside(world, counted)',
    ),
  ),
  bug(
    "rule 34: poison by a neighbour's crash",
    NO_PAUSE,
    patch(CLAIMS, 'const over = crashes.since + POISON_MS', 'const over = crashes.since'),
    patch(CLAIMS, 'POISON_CRASHES = 5', 'POISON_CRASHES = 2'),
  ),
  bug(
    'rule 34: a fact does not forget the looks before it',
    patch(HEAD, '...(proves ? {} : { crashes: before?.crashes })', 'crashes: before?.crashes'),
  ),
  bug(
    'rule 42: a put that met itself counts as refused',
    patch(
      'src/engine/tenant/blobs.ts',
      '    await put\n',
      "    if ((await put) === 'conflict') throw new Error('the blob is refused')\n",
    ),
  ),
  bug(
    'real: an answer counts though the answer before it never became the log',
    patch('src/core/run/transcript.ts', 'parts, last?.seen, ', ''),
  ),
  // What an answer rests on names its start, which masks the first: they are planted together.
  bug(
    'real: an answer counts though its start was refused',
    patch('src/core/run/accepts.ts', 'if (state.started === null) return false', ''),
    ANY_START,
  ),
  rareBug('real: an answer counts that was given under another start', ANY_START),
  rareBug(
    'real: a letter read beside an old log is deleted unread',
    patch('src/engine/partition/pending.ts', 'mail.has(key) && !this.#refused.has(key)', 'true'),
  ),
  bug(
    'real: two looks at once are both counted',
    patch(
      CLAIM,
      "const mayLook = verdict.kind === 'go' || verdict.kind === 'alone'",
      'const mayLook = true',
    ),
  ),
  rareBug(
    'real: the alarm of a look forgets that the run has started',
    patch(CLAIM, 'const begun = started || hasStarted(head)', 'const begun = started'),
  ),
  bug(
    'real: a spawn that was refused comes to be after all',
    patch(SPAWN, 'if (world.settings.singleProcess && !known)', 'if (child)'),
  ),
  bug(
    'real: a call that was given up is sent',
    patch(TOOL, 'if (late || signal.aborted)', 'if (late && signal === undefined)'),
  ),
]
