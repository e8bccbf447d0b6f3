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

/** Those and their families, such as `runs:*`; `*` is all of them. */
export const GRANTS: readonly string[] = [
  '*',
  ...new Set(SCOPES.map((scope) => `${scope.split(':')[0]}:*`)),
  ...SCOPES,
]

/** Whether these scopes hold another one, or a whole family. */
export const holds = (scopes: readonly string[], scope: string): boolean =>
  ['*', scope, `${scope.split(':')[0]}:*`].some((one) => scopes.includes(one))
