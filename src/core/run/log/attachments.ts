/** Files that a run attaches to its output, as shown to its parent and clients. */

import { LIMITS } from '../../limits.ts'

export interface Attached {
  /** Keys of the attached files; absent if there are none. */
  readonly attachments?: readonly string[]
  /** Number of further attached files, which only the run itself lists. */
  readonly attachments_left_out?: number
}

/** Returns the first keys of attached files, and the number of omitted keys. */
export function attachedOf(keys: readonly string[]): Attached {
  const all = [...new Set(keys)]
  if (all.length === 0) return {}
  const attachments = all.slice(0, LIMITS.announce_attachments)
  const leftOut = all.length - attachments.length
  return { attachments, ...(leftOut === 0 ? {} : { attachments_left_out: leftOut }) }
}

/** Returns only the attachment members of an object. */
export const attachedIn = ({ attachments, attachments_left_out: leftOut }: Attached): Attached => ({
  ...(attachments === undefined ? {} : { attachments }),
  ...(leftOut === undefined ? {} : { attachments_left_out: leftOut }),
})
