/** API key scopes that routes require. */

export const SCOPES = [
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
  ...(['webhooks:read', 'webhooks:write'] as const),
] as const
export type Scope = (typeof SCOPES)[number]

/** API key scopes and their families, such as `runs:*`. Scope `*` includes every scope. */
export const GRANTS: readonly string[] = [
  '*',
  ...new Set(SCOPES.map((scope) => `${scope.split(':')[0]}:*`)),
  ...SCOPES,
]

const LAYERS_WRITE = 'layers:write'

/**
 * Matches a grant of `layers:write` for layers with a prefix, such as
 * `layers:write:roles/support/`.
 */
export const LAYER_GRANT = /^layers:write:(?:(?!\.{1,2}\/)[\w.-]+\/)+$/

/** Whether granted scopes include a required scope, directly, by family, or by layer prefix. */
export const holds = (scopes: readonly string[], scope: string): boolean => {
  const family = `${scope.split(':')[0]}:*`
  return scopes.some(
    (grant) => grant === '*' || grant === scope || grant === family || coversLayers(grant, scope),
  )
}

const coversLayers = (grant: string, scope: string): boolean =>
  scope.startsWith(`${LAYERS_WRITE}:`) &&
  (grant === LAYERS_WRITE || (LAYER_GRANT.test(grant) && scope.startsWith(grant)))

/**
 * Whether granted scopes include a required scope at all. A grant of `layers:write` may be limited
 * to some layers.
 */
export const admits = (scopes: readonly string[], scope: string): boolean =>
  holds(scopes, scope) ||
  (scope === LAYERS_WRITE && scopes.some((grant) => grant.startsWith(`${LAYERS_WRITE}:`)))

/** Returns the prefixes of the layers that the scopes may write; undefined for all layers. */
export const writableLayers = (scopes: readonly string[]): readonly string[] | undefined =>
  holds(scopes, LAYERS_WRITE)
    ? undefined
    : scopes.flatMap((grant) =>
        LAYER_GRANT.test(grant) ? [grant.slice(LAYERS_WRITE.length + 1)] : [],
      )
