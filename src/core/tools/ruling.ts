/** The ruling on a tool, and its author. */

import type { ApprovalRule, ArgumentRules } from '../config/types.ts'

/** A rule that is not `allow`, and whose it is, for people. */
export interface Ruling {
  readonly rule: Exclude<ApprovalRule, 'allow'>
  readonly by: string
}

/** Rules that depend on the arguments of a call, and whose they are. */
export interface ArgumentRuling extends ArgumentRules {
  readonly by: string
}
