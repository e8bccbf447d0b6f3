/** Files that a run hands over, as others see them. */

import { LIMITS } from '../../limits.ts'

export interface Attached {
  /** Keys of files. Absent: none. */
  readonly attachments?: readonly string[]
  /** How many more there are, which the run names. */
  readonly attachments_left_out?: number
}

/** Some names stand for all. */
export function attachedOf(keys: readonly string[]): Attached {
  const all = [...new Set(keys)]
  if (all.length === 0) return {}
  const attachments = all.slice(0, LIMITS.announce_attachments)
  const leftOut = all.length - attachments.length
  return { attachments, ...(leftOut === 0 ? {} : { attachments_left_out: leftOut }) }
}

/** These members alone. */
export const attachedIn = ({ attachments, attachments_left_out: leftOut }: Attached): Attached => ({
  ...(attachments === undefined ? {} : { attachments }),
  ...(leftOut === undefined ? {} : { attachments_left_out: leftOut }),
})
