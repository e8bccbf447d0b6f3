/**
 * Returns the key prefixes of the selected layers, relative to the tenant's prefix, without reading
 * storage.
 */

import { keyPath, keyPrefix } from '../../../lib/key.ts'
import { roleName } from '../../../lib/name.ts'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { type Refusal, refusal } from '../../problem.ts'
import type { LayerSelection } from '../types.ts'

export interface SelectedLayers {
  /** Prefix of the base layer; ends with a slash. */
  readonly base: string
  readonly role: string | null
  readonly repo: string | null
  readonly configPath: string | null
}

export const DEFAULT_BASE = 'base/'
export const WORKSPACES = 'workspaces/'
/** Folder of files that wait to be imported; no run reads them. */
export const IMPORTS = 'imports/'
/** Default role name of the management tools, which stands for the base layer. */
const MAIN_ROLE = 'main'

export const ROLES = 'roles/'
export const rolePath = (role: string): string => `${ROLES}${role}/`

const ROLE = /^roles\/[a-z0-9_-]+\/$/

/** Returns the kind of the layer with a prefix. Every other prefix can extend a base layer. */
export const layerKind = (prefix: string): 'base' | 'role' | 'repo' => {
  if (prefix === DEFAULT_BASE) return 'base'
  return ROLE.test(prefix) ? 'role' : 'repo'
}

export function chooseLayers(selection: LayerSelection): Outcome<SelectedLayers, Refusal> {
  const base = prefixOf('base_dir', selection.base_dir)
  if (!base.ok) return base
  const repo = prefixOf('repo_dir', selection.repo_dir)
  if (!repo.ok) return repo
  const role = roleOf(selection.role)
  if (!role.ok) return role
  const configPath = configPathOf(selection)
  if (!configPath.ok) return configPath
  return ok({
    base: base.value ?? DEFAULT_BASE,
    role: role.value,
    repo: repo.value,
    configPath: configPath.value,
  })
}

/** Returns the layer prefix for a name; a blank name counts as absent. */
function prefixOf(name: string, text: string | undefined): Outcome<string | null, Refusal> {
  if (text === undefined || text.trim() === '') return ok(null)
  const prefix = keyPrefix(text)
  if (!prefix.ok) {
    return refuse(name, `${name} must be a prefix within the tenant's storage: ${prefix.error}`)
  }
  const fault = layerFault(prefix.value)
  return fault === undefined ? prefix : refuse(name, `${name}: ${fault}`)
}

/** Explains why files below a prefix cannot be a layer; returns undefined if they can. */
export function layerFault(prefix: string): string | undefined {
  // Files that a run writes to its workspace must never configure another run.
  if (prefix.startsWith(WORKSPACES)) return "a run's workspace cannot be used as a layer"
  if (!prefix.startsWith(IMPORTS)) return undefined
  return 'files of an import are not a layer; import them with POST /v1/layers/import'
}

function roleOf(text: string | undefined): Outcome<string | null, Refusal> {
  if (text === undefined || text.trim() === '') return ok(null)
  const role = roleName(text)
  if (role === undefined) return refuse('role', 'a role can contain only a-z, 0-9, _, and -')
  return ok(role === MAIN_ROLE ? null : rolePath(role))
}

function configPathOf(selection: LayerSelection): Outcome<string | null, Refusal> {
  const text = selection.mcp_config_path?.trim()
  if (text === undefined || text === '') return ok(null)
  if (selection.mcp_servers !== undefined) {
    return refuse('mcp_config_path', 'mcp_config_path and mcp_servers cannot both be set')
  }
  const path = keyPath(text)
  if (!path.ok) return refuse('mcp_config_path', `mcp_config_path: ${path.error}`)
  if (path.value.startsWith(IMPORTS)) {
    return refuse('mcp_config_path', 'mcp_config_path: files of an import configure no run')
  }
  if (!path.value.startsWith(WORKSPACES)) return path
  return refuse(
    'mcp_config_path',
    'mcp_config_path: files written by runs cannot configure other runs',
  )
}

const refuse = (name: string, detail: string): Outcome<never, Refusal> =>
  fail(refusal('invalid_request', detail, { errors: [{ pointer: `/${name}`, message: detail }] }))
