/**
 * The bugs that the simulator must find: first a list of classic mistakes, then the absence of
 * single rules of PROTOCOL.md, then what it has really found in this code. A bug that a second
 * mechanism hides is planted together with the absence of that mechanism.
 */

import { AGE } from './bugs/age.ts'
import { DELIVERIES } from './bugs/deliveries.ts'
import { FANOUTS } from './bugs/fanouts.ts'
import { LOOKS } from './bugs/looks.ts'
import { OPEN_FANOUTS } from './bugs/open-fanouts.ts'
import { FROM_THE_PAGE } from './bugs/page.ts'
import type { Bug } from './bugs/patch.ts'
import { ONCE_REAL } from './bugs/real.ts'
import { ABSENT_RULES } from './bugs/rules.ts'
import { TALK } from './bugs/talk.ts'
import { WAKES } from './bugs/wakes.ts'

export type { Bug, Patch } from './bugs/patch.ts'

export const BUGS: readonly Bug[] = [
  ...FROM_THE_PAGE,
  ...ABSENT_RULES,
  ...LOOKS,
  ...WAKES,
  ...TALK,
  ...FANOUTS,
  ...OPEN_FANOUTS,
  ...AGE,
  ...DELIVERIES,
  ...ONCE_REAL,
]
