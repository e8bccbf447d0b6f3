/**
 * Identifies a tenant's server by its configuration, with the names of secrets and never their
 * values.
 */

import type { ServerEntry } from '../../core/config/types.ts'
import { digest } from '../../lib/digest.ts'

/** Returns the server's key, which excludes tool filters, time-outs, and the entry's origin. */
export function serverKey(tenant: string, server: ServerEntry): string {
  const { transport, command, args, env, cwd, url, oauth } = server
  const { bearer_token_env_var, http_headers, env_http_headers, subject } = server
  const same = { transport, command, args, env, cwd, url, oauth, bearer_token_env_var }
  const owner = subject === undefined ? {} : { subject }
  return `${tenant}\n${digest({ ...same, http_headers, env_http_headers, ...owner })}`
}
