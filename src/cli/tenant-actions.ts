/**
 * Actions of `strata tenants`, in a separate module so that help and completion load nothing else.
 */

export const TENANT_ACTIONS = [
  ...(['list', 'create', 'set', 'suspend', 'resume', 'pause'] as const),
  ...(['delete', 'export', 'import'] as const),
] as const
export type TenantAction = (typeof TENANT_ACTIONS)[number]
