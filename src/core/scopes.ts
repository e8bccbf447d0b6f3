/** Scopes of API keys: each route needs one of these. */

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
  ...(['sessions:read', 'sessions:write'] as const),
  ...(['webhooks:read', 'webhooks:write'] as const),
] as const
export type Scope = (typeof SCOPES)[number]

/** Scopes and their families, such as `runs:*`; `*` is all of them. */
export const GRANTS: readonly string[] = [
  '*',
  ...new Set(SCOPES.map((scope) => `${scope.split(':')[0]}:*`)),
  ...SCOPES,
]

const LAYERS_WRITE = 'layers:write'

/** `layers:write` for layers with this prefix: `layers:write:roles/support/`. */
export const LAYER_GRANT = /^layers:write:(?:(?!\.{1,2}\/)[\w.-]+\/)+$/

/** Whether these scopes include another one, directly, by family, or by prefix of layers. */
export const holds = (scopes: readonly string[], scope: string): boolean => {
  const family = `${scope.split(':')[0]}:*`
  return scopes.some(
    (grant) => grant === '*' || grant === scope || grant === family || coversLayers(grant, scope),
  )
}

const coversLayers = (grant: string, scope: string): boolean =>
  scope.startsWith(`${LAYERS_WRITE}:`) &&
  (grant === LAYERS_WRITE || (LAYER_GRANT.test(grant) && scope.startsWith(grant)))

/** Whether they include the scope at all; `layers:write` possibly for some layers only. */
export const admits = (scopes: readonly string[], scope: string): boolean =>
  holds(scopes, scope) ||
  (scope === LAYERS_WRITE && scopes.some((grant) => grant.startsWith(`${LAYERS_WRITE}:`)))

/** The prefixes of layers that may be written; undefined: all. */
export const writableLayers = (scopes: readonly string[]): readonly string[] | undefined =>
  holds(scopes, LAYERS_WRITE)
    ? undefined
    : scopes.flatMap((grant) =>
        LAYER_GRANT.test(grant) ? [grant.slice(LAYERS_WRITE.length + 1)] : [],
      )
