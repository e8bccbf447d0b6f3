/** Ruling on a tool call, and its source. */

import type { ApprovalRule, ArgumentRules } from '../config/types.ts'

/** Tool rule other than `allow`, with its source for people. */
export interface Ruling {
  readonly rule: Exclude<ApprovalRule, 'allow'>
  readonly by: string
}

/** Rules that depend on the arguments of a tool call, with their source. */
export interface ArgumentRuling extends ArgumentRules {
  readonly by: string
}
