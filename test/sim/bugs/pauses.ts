/** Planted bugs of calls in whose middle a server asks the user (rule 22b). */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

export const PAUSES: readonly Bug[] = [
  bug(
    'rule 22b: a paused call goes on before it is answered',
    inside(
      'followCall',
      'return isSettled(pause) ? [intent(state, call)] : []',
      'return [intent(state, call)]',
    ),
  ),
  bug(
    'rule 22b: a paused call keeps the intent that it was begun with',
    inside('pausedBy', 'intent: null,', ''),
    inside('toolId', 'pauses.length === 0', 'true'),
  ),
  testedBug(
    "rule 22b: nobody is there when a server's question expires",
    {
      file: 'test/unit/core/run/pause.test.ts',
      title: 'asks its question, and is due when the question expires',
    },
    inside('personUntil', 'const question = questionOf(call)', 'const question = call.question'),
  ),
  bug(
    "rule 22b: a paused call goes on without its server's state",
    inside(
      'call-pause:answersOf',
      'return { replies: repliesTo(pause, text), state }',
      'return { replies: repliesTo(pause, text) }',
    ),
  ),
  bug(
    'rule 22b: nobody answered is told as no',
    inside(
      'repliesTo',
      "if (text === undefined) return forAll(requests, { action: 'cancel' })",
      "if (text === undefined) return forAll(requests, { action: 'decline' })",
    ),
  ),
  bug(
    'rule 22b: a paused call is begun anew',
    inside(
      'call-pause:answersOf',
      'if (!pause) return undefined',
      'if (!pause || call.intent !== null) return undefined',
    ),
  ),
]
