/** Actions of `strata tenants`, for its help and completions, which load nothing else. */

export const TENANT_ACTIONS = [
  ...(['list', 'create', 'suspend', 'resume'] as const),
  ...(['limits', 'export', 'delete'] as const),
] as const
export type TenantAction = (typeof TENANT_ACTIONS)[number]
