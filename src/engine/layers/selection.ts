/** Normalizes the layers that a request names. Every endpoint calls this module first. */

import type { LayerSelection } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { keyPrefix } from '../../lib/key.ts'
import { roleName } from '../../lib/name.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'

/** Returns the requested layers as the resolver expects them: prefixes and the normalized role. */
export function selection(request: LayerSelection): Outcome<LayerSelection, Refusal> {
  const { mcp_config_path, mcp_servers, strict, on_duplicate, subject } = request
  const requestedRole = request.role?.trim() || undefined
  // The rejection of an invalid role shows the role's original spelling.
  const role = requestedRole && (roleName(requestedRole) ?? requestedRole)
  const out: Record<string, string> = {}
  for (const name of ['repo_dir', 'base_dir'] as const) {
    const requestedPath = request[name]
    if (requestedPath === undefined || requestedPath.trim() === '') continue
    const prefix = keyPrefix(requestedPath)
    if (!prefix.ok) {
      const errors = [{ pointer: `/${name}`, message: prefix.error }]
      return fail(refusal('invalid_request', `${name}: ${prefix.error}.`, { errors }))
    }
    out[name] = prefix.value.slice(0, -1)
  }
  const owner = subject === undefined ? {} : { subject }
  return ok({ role, mcp_config_path, mcp_servers, strict, on_duplicate, ...owner, ...out })
}
