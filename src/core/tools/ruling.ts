/** The ruling on a tool, and its author. */

import type { ApprovalRule } from '../config/types.ts'

/** A rule that is not `allow`, and whose it is, for people. */
export interface Ruling {
  readonly rule: Exclude<ApprovalRule, 'allow'>
  readonly by: string
}
