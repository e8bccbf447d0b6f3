/** Files that a run attaches, as shown to others. */

import { LIMITS } from '../../limits.ts'

export interface Attached {
  /** Keys of attached files; absent if there are none. */
  readonly attachments?: readonly string[]
  /** Number of further files, which only the run lists. */
  readonly attachments_left_out?: number
}

/** Returns the first keys and the number of omitted ones. */
export function attachedOf(keys: readonly string[]): Attached {
  const all = [...new Set(keys)]
  if (all.length === 0) return {}
  const attachments = all.slice(0, LIMITS.announce_attachments)
  const leftOut = all.length - attachments.length
  return { attachments, ...(leftOut === 0 ? {} : { attachments_left_out: leftOut }) }
}

/** Returns only the attachment members. */
export const attachedIn = ({ attachments, attachments_left_out: leftOut }: Attached): Attached => ({
  ...(attachments === undefined ? {} : { attachments }),
  ...(leftOut === undefined ? {} : { attachments_left_out: leftOut }),
})
