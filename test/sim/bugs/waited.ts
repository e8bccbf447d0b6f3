/** Planted bugs of spawns that are answered by the ends of their subagents (rule 21a). */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

export const WAITED: readonly Bug[] = [
  bug(
    'rule 21a: a waited spawn is answered before its child has ended',
    inside('run/evolve:spawned', 'result: waited ? null :', 'result:'),
  ),
  bug(
    "rule 21a: a waited child's announce enters the transcript twice",
    inside('run/evolve:announced', 'if (child.waited && !child.given_up) return', ''),
  ),
  bug(
    'rule 21a: the end of a child answers the call of another',
    inside(
      'pushResults',
      'const end = answeringEnd(call)',
      'const end = answeringEnd(calls.find((entry) => answeringEnd(entry) !== null) ?? call)',
    ),
  ),
  bug(
    'rule 21a: a failed child is a call that went well',
    inside(
      'waiting-spawns:answerOf',
      "announce.status === 'completed' ? 'ok' : 'error'",
      "'ok' as 'ok' | 'error'",
    ),
  ),
  bug(
    'rule 21a: a step gives up its children before the deadline',
    inside('waiting-spawns:releaseOf', 'until === null || now < until', 'until === null'),
  ),
  bug(
    'rule 21a: nobody is there when the time of a step is over',
    inside(
      'run/machine:wakeAt',
      'barrierDeadline(state), joinDeadline(state)',
      'barrierDeadline(state)',
    ),
  ),
  testedBug(
    'rule 21a: those that a step no longer waits for are left alone',
    {
      file: 'test/unit/engine/run/waited.test.ts',
      title: 'ends the wait at its deadline, and the rest is cancelled',
    },
    inside('waiting-spawns:releaseOf', 'missing: missingIds, reason', 'missing: [], reason'),
  ),
  bug(
    'rule 21a: a waited success opens the barrier of the others',
    inside('barrier:barrier', '.filter(({ child }) => !child?.waited)', ''),
  ),
  bug(
    'rule 21a: mail of a waited child is taken for early',
    inside('run:isEarly', 'awaitsSpawn(call)', "call.mode === 'spawn' && call.result === null"),
  ),
  bug(
    'rule 21a: who waits within a step waits on when all have ended',
    inside(
      'decide:decide',
      "if (isParked(state) && state.joining_since !== null) return [{ type: 'run.resumed' }]",
      'if (isParked(state) && state.joining_since !== null) return []',
    ),
  ),
]
