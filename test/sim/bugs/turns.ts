/** Bugs of the order in which the calls of one answer are performed. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

/** No tool of the simulated model is approved by people and has a thing. */
const FILE = 'test/unit/engine/run/turns.test.ts'

export const TURNS: readonly Bug[] = [
  bug(
    'turns: nothing waits for what is before it',
    inside('isQueued', 'tool?.thing === undefined || call', 'true || call'),
  ),
  bug(
    'turns: a read waits for no write',
    inside('isQueued', '(isChange(other) || isChange(tool))', 'isChange(tool)'),
  ),
  testedBug(
    'turns: a call in line keeps the run awake',
    { file: FILE, title: 'a call queued after an approval leaves the run parked' },
    inside('openCalls', ' && !isQueued(calls, call)', ''),
  ),
  testedBug(
    'turns: an approved call in line wakes the run again and again',
    { file: FILE, title: 'a call approved first waits for the one before it' },
    inside('decide/decide:decide', ' && !isQueued(calls, call)', ''),
  ),
]
