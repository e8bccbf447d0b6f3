/**
 * The bugs that the simulator must find: first a list of classic mistakes, then the absence of
 * single rules of PROTOCOL.md, then what it has really found in this code. A bug that a second
 * mechanism hides is planted together with the absence of that mechanism.
 */

import { AGE } from './age.ts'
import { AUDIT_BUGS } from './audit.ts'
import { BUDGETS } from './budgets.ts'
import type { Bug } from './bug.ts'
import { DELIVERIES } from './deliveries.ts'
import { FANOUTS } from './fanouts.ts'
import { HALTS } from './halts.ts'
import { LEAKS } from './leaks.ts'
import { LOOKS } from './looks.ts'
import { MEMORY_BUGS } from './memory.ts'
import { OBJECTS_BUGS } from './objects.ts'
import { OPEN_FANOUTS } from './open-fanouts.ts'
import { OUTAGES } from './outages.ts'
import { FROM_THE_PAGE } from './page.ts'
import { PAUSES } from './pauses.ts'
import { QUESTIONS } from './questions.ts'
import { QUOTAS } from './quotas.ts'
import { ONCE_REAL } from './real.ts'
import { ABSENT_RULES } from './rules.ts'
import { SCHEDULES } from './schedules.ts'
import { TALK } from './talk.ts'
import { TURNS } from './turns.ts'
import { WAITED } from './waited.ts'
import { WAKES } from './wakes.ts'

export type { Bug } from './bug.ts'

export const BUGS: readonly Bug[] = [
  ...FROM_THE_PAGE,
  ...ABSENT_RULES,
  ...LOOKS,
  ...WAKES,
  ...TALK,
  ...BUDGETS,
  ...WAITED,
  ...QUESTIONS,
  ...PAUSES,
  ...OUTAGES,
  ...HALTS,
  ...QUOTAS,
  ...TURNS,
  ...SCHEDULES,
  ...FANOUTS,
  ...OPEN_FANOUTS,
  ...AGE,
  ...MEMORY_BUGS,
  ...DELIVERIES,
  ...ONCE_REAL,
  ...OBJECTS_BUGS,
  ...AUDIT_BUGS,
  ...LEAKS,
]
