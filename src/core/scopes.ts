/**
 * Scopes of API keys: each route needs one of these. `layers:read` and `layers:write` may end with
 * a prefix of the tenant's files (`layers:write:roles/support/`): they count below it only, for
 * the resources of layers there and for the files themselves.
 */

import { keyPrefix } from '../lib/key.ts'
import { WORKSPACES } from './config/layer/select.ts'
import { type Refusal, refusal } from './problem.ts'

const SCOPES = [
  ...(['approvals:read', 'approvals:write'] as const),
  'audit:read',
  'config:raw',
  ...(['hooks:read', 'hooks:write'] as const),
  ...(['keys:read', 'keys:write'] as const),
  ...(['layers:read', 'layers:write'] as const),
  ...(['memory:read', 'memory:write'] as const),
  'metrics:read',
  ...(['policy:read', 'policy:write'] as const),
  ...(['runs:read', 'runs:write'] as const),
  ...(['schedules:read', 'schedules:write'] as const),
  ...(['secrets:read', 'secrets:write'] as const),
  ...(['sessions:read', 'sessions:write'] as const),
  ...(['tenants:read', 'tenants:write'] as const),
  'tokens:write',
  ...(['webhooks:read', 'webhooks:write'] as const),
] as const
export type Scope = (typeof SCOPES)[number]

/** Those and their families, such as `runs:*`; `*` is all of them. */
export const GRANTS: readonly string[] = [
  '*',
  ...new Set(SCOPES.map((scope) => `${scope.split(':')[0]}:*`)),
  ...SCOPES,
]

/** The use of layers that a scope allows below a prefix. */
export type LayerUse = 'read' | 'write'
export const PREFIXED = /^layers:(read|write):(.+)$/

/** Why a scope that ends with a prefix cannot be one; undefined: it can, or it ends with none. */
export function prefixFault(scope: string): string | undefined {
  const [, , text] = PREFIXED.exec(scope) ?? []
  if (text === undefined) return undefined
  const prefix = keyPrefix(text)
  if (!prefix.ok) return prefix.error
  if (prefix.value !== text) return 'a prefix ends with a slash, and has no blanks around it'
  return text.startsWith(WORKSPACES) ? 'the workspace of a run is never a layer' : undefined
}

/** The prefixes below which these scopes allow it; those for all layers are not among them. */
export const prefixesOf = (scopes: readonly string[], use: LayerUse): readonly string[] =>
  scopes.flatMap((scope) => {
    const [, one, prefix] = PREFIXED.exec(scope) ?? []
    return one === use && prefix !== undefined ? [prefix] : []
  })

/** The same by the scope that is needed; none when it is not about layers. */
export function prefixesFor(scopes: readonly string[], needed: string): readonly string[] {
  const [, use] = /^layers:(read|write)$/.exec(needed) ?? []
  return use === undefined ? [] : prefixesOf(scopes, use as LayerUse)
}

/** `within`: the prefixes of the caller's key; undefined: it reaches all. */
export type Within = readonly string[] | undefined

const below = (prefixes: readonly string[], path: string): boolean =>
  prefixes.some((prefix) => path.startsWith(prefix))

/** Whether the key reaches this layer, file or beginning of paths. */
export const reaches = (within: Within, path: string): boolean =>
  within === undefined || below(within, path)

/** The refusal of what lies elsewhere, whether it is there or not. */
export function outside(within: Within, path: string): Refusal | undefined {
  if (reaches(within, path)) return undefined
  const named = path === '' ? 'All files together' : path
  return refusal(
    'insufficient_scope',
    `The key reaches ${listed(within)} only; ${named} is not below.`,
  )
}

/** The refusal of what concerns more than one layer; undefined: the key reaches all. */
export function notOfOneLayer(within: Within, what: string): Refusal | undefined {
  if (within === undefined) return undefined
  return refusal(
    'insufficient_scope',
    `The key reaches ${listed(within)} only; ${what} concerns other layers too.`,
  )
}

const listed = (within: Within): string => (within ?? []).join(', ')

/** Whether a key with these scopes may grant this one. */
export function grants(own: readonly string[], scope: string): boolean {
  const [, use, prefix] = PREFIXED.exec(scope) ?? []
  if (prefix === undefined) return holds(own, scope)
  if (below(prefixesOf(own, use as LayerUse), prefix)) return true
  // Files as they are come with a prefix; for all layers that is a scope of its own.
  return holds(own, `layers:${use}`) && holds(own, 'config:raw')
}

/** Whether these scopes hold another one, or a whole family. */
export const holds = (scopes: readonly string[], scope: string): boolean =>
  ['*', scope, `${scope.split(':')[0]}:*`].some((one) => scopes.includes(one))
