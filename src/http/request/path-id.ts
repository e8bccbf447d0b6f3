/** Ids in paths: what cannot be one names nothing, so it does not exist. */

import { isId, type Prefix } from '../../lib/id.ts'
import type { RequestRefused } from './problem.ts'

/** A request whose path has an id. */
export interface WithId {
  readonly req: { param(name: 'id'): string | undefined }
}

/** The id in the path; `missing` is thrown for a text that cannot be one. */
export function pathId({ req }: WithId, prefix: Prefix, missing: () => RequestRefused): string {
  const id = req.param('id') ?? ''
  if (!isId(prefix, id)) throw missing()
  return id
}
