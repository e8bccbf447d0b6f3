/** Target layer of a management operation, and its caller. */

import {
  DEFAULT_BASE,
  layerFault,
  layerKind,
  ROLES,
  rolePath,
} from '../../core/config/layer/select.ts'
import type { LayerKind } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { keyPrefix } from '../../lib/key.ts'
import { roleName } from '../../lib/name.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { listFiles } from '../layers/files.ts'
import { prefixExists } from '../layers/list.ts'

export interface OperationContext {
  readonly world: World
  readonly tenant: string
  /** API key or run that performs the operation, named in the audit log. */
  readonly by: string
  /** Whether a write that causes warnings is rejected (`?strict=true`). */
  readonly strict?: boolean
  readonly condition?: Condition | undefined
  /** Prefixes of the layers that the caller may write; absent means all layers. */
  readonly writable?: readonly string[] | undefined
}

/** Version of the resource that the caller expects to change. */
export type Condition = { readonly etag: string } | 'absent'

export interface LayerRef {
  readonly kind: LayerKind
  /** Key prefix of the layer, with a trailing slash. */
  readonly prefix: string
}

export interface Where {
  readonly role: string
  readonly repo_dir?: string | undefined
  readonly scope?: 'role' | 'repo' | undefined
  readonly layer?: string | undefined
  /** Base layer used instead of `base/`, as named in a run request. */
  readonly base_dir?: string | undefined
}

export async function placeOf(
  { world, tenant }: OperationContext,
  { role, repo_dir, scope, layer, base_dir }: Where,
): Promise<Outcome<LayerRef, Refusal>> {
  if (base_dir !== undefined) {
    const base = prefixOf('base_dir', base_dir)
    if (!base.ok || base.value.kind !== 'role') {
      return base.ok ? ok({ ...base.value, kind: 'base' }) : base
    }
    return refuse('invalid_request', 'base_dir', `${base.value.prefix} is a role layer`)
  }
  if (layer !== undefined) return prefixOf('layer', layer)
  const repo = scope === 'role' ? undefined : repo_dir?.trim() || undefined
  if (scope === 'repo' && repo === undefined) {
    return refuse('invalid_request', 'repo_dir', 'repo_dir is required when scope=repo')
  }
  if (repo === undefined) return roleOf(role)
  const place = prefixOf('repo_dir', repo)
  if (!place.ok || (await prefixExists(world.objects, tenant, place.value.prefix))) return place
  const detail = `repo_dir ${place.value.prefix} does not exist (no files found)`
  return refuse('unknown_repo', 'repo_dir', detail)
}

/** Maximum number of role layers to read. */
const ROLES_MOST = 100

/** Returns the layers that a repository can extend: the tenant's base layer and role layers. */
export async function layersBelow(manager: OperationContext): Promise<readonly LayerRef[]> {
  const { files } = await listFiles(manager, ROLES)
  const names = files.flatMap(({ path }) => ROLE_NAME.exec(path.slice(ROLES.length))?.[1] ?? [])
  const roles = [...new Set(names)].slice(0, ROLES_MOST)
  return [
    { kind: 'base', prefix: DEFAULT_BASE },
    ...roles.map((role): LayerRef => ({ kind: 'role', prefix: rolePath(role) })),
  ]
}

const ROLE_NAME = /^([a-z0-9_-]+)\//

function roleOf(text: string): Outcome<LayerRef, Refusal> {
  const role = roleName(text)
  if (role === undefined) {
    return refuse('invalid_request', 'role', 'a role contains only a-z, 0-9, _, and -')
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
    const detail = `${name} must be a prefix in your space: ${prefix.error}`
    return refuse('invalid_request', name, detail)
  }
  const fault = layerFault(prefix.value)
  if (fault !== undefined) return refuse('invalid_request', name, fault)
  return ok({ kind: layerKind(prefix.value), prefix: prefix.value })
}

function refuse(
  code: 'invalid_request' | 'unknown_repo',
  name: string,
  detail: string,
): Outcome<never, Refusal> {
  return fail(refusal(code, detail, { errors: [{ pointer: `/${name}`, message: detail }] }))
}
