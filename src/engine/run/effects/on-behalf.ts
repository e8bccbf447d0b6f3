/** Calls of MCP servers on behalf of the end user of a run. */

import type { ServerEntry } from '../../../core/config/types.ts'
import type { RunSpec } from '../../../core/run/log/facts.ts'

/** Returns the server with the end user whose secrets a run sends to it. */
export const onBehalf = (
  server: ServerEntry,
  spec: Pick<RunSpec, 'subject'> | null | undefined,
): ServerEntry => (spec?.subject === undefined ? server : { ...server, subject: spec.subject })
