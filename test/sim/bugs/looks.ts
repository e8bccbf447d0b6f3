/** Planted bugs of wakes, of looks at runs that may be killing their workers, and of what they begin. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, rareBug } from './bug.ts'

const NO_PAUSE = inside(
  'crash-count:judge',
  "if (now < pause) return { kind: 'later', at: pause }",
  '',
)

const ANY_START = inside(
  'promptFingerprint',
  'const pin = state.started?.pin ?? null',
  'const pin = null',
)

export const LOOKS: readonly Bug[] = [
  bug(
    'rule 12: what must not be doubled begins at the end of a lease',
    inside('LeaseTimer.isFresh', 'this.#since !== undefined && now < this.startDeadline', 'true'),
    inside('tool:remote', 'world.clock.monotonic() >= startDeadline', 'false'),
  ),
  bug(
    'rule 13: the result of a once call waits like any other',
    inside(
      'Executor.#record',
      'if (this.#handlers.isOnce(settledEffect.effect)) this.#flush.hurry()',
      '',
    ),
  ),
  bug(
    'rule 14: an edit that is repeated is planned anew',
    inside('edit', 'storedPlan ?? (await plan(folder, args))', 'await plan(folder, args)'),
  ),
  bug(
    'rule 17: the rest is not cancelled',
    inside('released', 'draft.spec?.join.cancel_rest && fact', 'false && fact'),
  ),
  bug(
    'rule 20: an announce carries all that was said',
    inside(
      'announce:shortened',
      'byteLength(text) <= LIMITS.announce_bytes',
      'byteLength(text) >= 0',
    ),
  ),
  bug(
    'rule 21: a result after the release is not told',
    inside(
      'run/evolve:announced',
      "!child.given_up || announce.status === 'completed'",
      '!child.given_up',
    ),
  ),
  bug(
    'rule 29: the policy counts as it was when the model asked',
    inside(
      'rulingNow',
      "if (ruling?.rule === 'deny') return deniedText(call.tool, ruling)",
      "if (ruling?.rule === 'deny') return undefined",
    ),
  ),
  bug(
    'rule 31: who creates a run wakes nobody',
    inside(
      'wakeLog',
      'return world.queue.send([{ partition, ...lane, staleCount: 0, facts: state.seq }], delayMs)',
      "return lane && 'ok'",
    ),
    inside('wakeLog', 'export function wakeLog', 'export async function wakeLog'),
  ),
  bug(
    'rule 31: who announces wakes nobody',
    inside(
      'performAnnounce',
      'await post(world, {',
      "await post({ ...world, queue: { send: async () => 'lost' as const } }, {",
    ),
  ),
  bug(
    'rule 32: wakes do not say what has started',
    inside('runLogType', 'started: started !== null', 'started: started === undefined'),
  ),
  bug(
    'rule 31: letters to a session at rest are sent again each minute',
    inside('tick:push', ' && !MAILED.has(parsePartition(partition).kind)', ''),
  ),
  bug('rule 34: looks do not back off', NO_PAUSE),
  bug(
    'rule 34: suspects do not go alone',
    inside(
      'advanceGuarded',
      "verdict.kind === 'alone' ? inIsolation(world, runCounted) : runShared(world, runCounted)",
      'runShared(world, runCounted)',
    ),
  ),
  bug(
    "rule 34: poison by a neighbour's crash",
    NO_PAUSE,
    inside(
      'crash-count:judge',
      'const over = crashes.since + POISON_MS',
      'const over = crashes.since',
    ),
    inside('POISON_CRASHES', 'POISON_CRASHES = 5', 'POISON_CRASHES = 2'),
  ),
  bug(
    'rule 34: a fact does not forget the looks before it',
    inside(
      'headAfter',
      '...(proves ? {} : { crashes: previous?.crashes })',
      'crashes: previous?.crashes',
    ),
  ),
  bug(
    'rule 42: a put that met itself counts as refused',
    inside(
      'putBlob',
      '    await put\n',
      "    if ((await put) === 'conflict') throw new Error('the blob is refused')\n",
    ),
  ),
  bug(
    'real: an answer counts though the answer before it never became the log',
    inside('promptFingerprint', 'parts, last?.seen, ', ''),
  ),
  // What an answer rests on names its start, which masks the first: they are planted together.
  bug(
    'real: an answer counts though its start was refused',
    inside('accepts:accepts', 'if (state.started === null) return false', ''),
    ANY_START,
  ),
  rareBug('real: an answer counts that was given under another start', ANY_START),
  bug(
    'real: a letter read beside an old log is deleted unread',
    inside('Pending.reread', 'mail.has(key) && !this.#ineffective.has(key)', 'true'),
  ),
  bug(
    'real: two looks at once are both counted',
    inside(
      'countPass',
      "const mayRun = verdict.kind === 'go' || verdict.kind === 'alone'",
      'const mayRun = true',
    ),
  ),
  bug(
    'real: the alarm of a look forgets that the run has started',
    inside(
      'crash-count:change',
      'const hasBegun = started || hasStarted(head)',
      'const hasBegun = started',
    ),
  ),
  bug(
    'real: a spawn that was refused comes to be after all',
    inside('spawn:refuse', 'if (world.settings.singleProcess && !mayExist)', 'if (child)'),
  ),
  rareBug(
    'real: a call that was given up is sent',
    inside('tool:remote', 'if (late || signal.aborted)', 'if (late && signal === undefined)'),
  ),
]
