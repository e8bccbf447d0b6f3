/** The ruling on a tool, and its author. */

import type { ApprovalRule } from '../config/types.ts'

/** A rule that is not `allow`, and whose it is, for people. */
export interface Ruling {
  readonly rule: Exclude<ApprovalRule, 'allow'>
  readonly by: string
  /** The cause of the rule, for people. Absent: the rule says all. */
  readonly why?: string
}

/** For whoever decides, or reads that it is so. */
export const reasonOf = ({ by, why }: Ruling): string => (why === undefined ? by : `${by}: ${why}`)
