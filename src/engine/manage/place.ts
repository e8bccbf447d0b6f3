/** The layer that an operation works on, and its caller. */

import { DEFAULT_BASE, ROLES, rolePath, WORKSPACES } from '../../core/config/layer/select.ts'
import type { LayerKind } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { outside, reaches, type Within } from '../../core/scopes.ts'
import { keyPrefix } from '../../lib/key.ts'
import { roleName } from '../../lib/name.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { listFiles } from '../layers/files.ts'
import { prefixExists } from '../layers/list.ts'

export interface OperationContext {
  readonly world: World
  readonly tenant: string
  /** An API key or a run, for the audit. */
  readonly by: string
  /** The prefixes that the caller's key reaches; undefined: all layers. */
  readonly within?: Within
  /** `?strict=true`: a write whose file would have warnings is refused. */
  readonly strict?: boolean
  readonly condition?: Condition | undefined
}

/** The caller's knowledge of the thing that it writes. */
export type Condition = { readonly etag: string } | 'absent'

export interface LayerRef {
  readonly kind: LayerKind
  /** Ends with a slash. */
  readonly prefix: string
}

export interface Where {
  readonly role: string
  readonly repo_dir?: string | undefined
  readonly scope?: 'role' | 'repo' | undefined
  readonly layer?: string | undefined
}

const ROLE = /^roles\/[a-z0-9_-]+\/$/

export async function placeOf(
  context: OperationContext,
  where: Where,
): Promise<Outcome<LayerRef, Refusal>> {
  const named = layerNamed(where)
  if (!named.ok) return named
  const { prefix } = named.value
  // Before it is looked for: a key learns nothing of what it does not reach.
  const refused = outside(context.within, prefix)
  if (refused) return fail(refused)
  const { world, tenant } = context
  const isRepo = where.layer === undefined && repoDirOf(where) !== undefined
  if (!isRepo || (await prefixExists(world.objects, tenant, prefix))) return named
  const detail = `repo_dir ${prefix} does not exist: no file lies under it`
  return refuse('unknown_repo', 'repo_dir', detail)
}

const repoDirOf = ({ repo_dir, scope }: Where): string | undefined =>
  scope === 'role' ? undefined : repo_dir?.trim() || undefined

function layerNamed(where: Where): Outcome<LayerRef, Refusal> {
  const { role, scope, layer } = where
  if (layer !== undefined) return prefixOf('layer', layer)
  const repo = repoDirOf(where)
  if (scope === 'repo' && repo === undefined) {
    return refuse('invalid_request', 'repo_dir', 'repo_dir is required when scope=repo')
  }
  return repo === undefined ? roleOf(role) : prefixOf('repo_dir', repo)
}

/** So many roles are read. */
const ROLES_MOST = 100

/**
 * Layers that a repository may lie on: the base layer, and the role layers of the tenant; of these
 * such as the caller's key reaches, because what they hold is shown.
 */
export async function layersBelow(manager: OperationContext): Promise<readonly LayerRef[]> {
  const { files } = await listFiles(manager, ROLES)
  const names = files.flatMap(({ path }) => ROLE_NAME.exec(path.slice(ROLES.length))?.[1] ?? [])
  const roles = [...new Set(names)].slice(0, ROLES_MOST)
  const layers: readonly LayerRef[] = [
    { kind: 'base', prefix: DEFAULT_BASE },
    ...roles.map((role): LayerRef => ({ kind: 'role', prefix: rolePath(role) })),
  ]
  return layers.filter(({ prefix }) => reaches(manager.within, prefix))
}

const ROLE_NAME = /^([a-z0-9_-]+)\//

function roleOf(text: string): Outcome<LayerRef, Refusal> {
  const role = roleName(text)
  if (role === undefined) {
    return refuse('invalid_request', 'role', 'a role has a-z, 0-9, _ and - only')
  }
  return ok(
    role === 'main'
      ? { kind: 'base', prefix: DEFAULT_BASE }
      : { kind: 'role', prefix: rolePath(role) },
  )
}

function prefixOf(name: string, text: string): Outcome<LayerRef, Refusal> {
  const prefix = keyPrefix(text)
  if (!prefix.ok) {
    const detail = `${name} must be a prefix of your own space: ${prefix.error}`
    return refuse('invalid_request', name, detail)
  }
  if (prefix.value.startsWith(WORKSPACES)) {
    return refuse('invalid_request', name, 'the workspace of a run is never a layer')
  }
  const role = ROLE.test(prefix.value) ? 'role' : 'repo'
  return ok({ kind: prefix.value === DEFAULT_BASE ? 'base' : role, prefix: prefix.value })
}

function refuse(
  code: 'invalid_request' | 'unknown_repo',
  name: string,
  detail: string,
): Outcome<never, Refusal> {
  return fail(refusal(code, detail, { errors: [{ pointer: `/${name}`, message: detail }] }))
}
