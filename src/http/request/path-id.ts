/** Reads IDs in request paths; an invalid ID names no resource and results in "not found". */

import { isId, type Prefix } from '../../lib/id.ts'
import type { RequestRefused } from './problem.ts'

/** Request whose path contains an ID. */
export interface WithId {
  readonly req: { param(name: 'id'): string | undefined }
}

/** Returns the ID in the request path; throws the error from `missing` if the ID is invalid. */
export function pathId({ req }: WithId, prefix: Prefix, missing: () => RequestRefused): string {
  const id = req.param('id') ?? ''
  if (!isId(prefix, id)) throw missing()
  return id
}
