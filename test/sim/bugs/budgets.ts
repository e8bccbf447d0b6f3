/** Planted bugs of budgets. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const BUDGETS: readonly Bug[] = [
  bug(
    'rule 23: every subagent may spend it all',
    inside('grantBelow', 'Math.max(amount / (open + 1), call)', '0'),
    inside('heldBelow', 'heldBy(ended ? ended.held : child?.allotment)', 'NO_AMOUNTS'),
  ),
  bug(
    'a budget is not looked at',
    inside('exhausted', 'isUsedUp(remaining) || isShort(state, remaining)', 'false'),
  ),
  bug(
    'rule 23: a call that does not fit into its slice begins',
    inside('reservation', 'room.isStrict ?', 'room === undefined ?'),
  ),
  bug(
    'rule 23: a slice is an equal part, however small',
    inside('slicesOf', 'Math.max(amount / among, Math.min(amount, least))', 'amount / among'),
    inside('reservation', 'room.isStrict ?', 'room === undefined ?'),
  ),
  bug(
    'rule 23: tasks of a fan-out begin without a slice',
    inside(
      'grantOfTasks',
      'const remaining = remainingOf(state)',
      'const remaining = limitsOf(state.spec!.limits ?? {})',
    ),
  ),
  bug(
    'rule 23: a task counts as alone while others spend',
    inside('slicedAs', 'isWhole && isRoot && isNone(heldByTasks(state))', 'true'),
  ),
]
