/** Actions of `strata audit`, for its help and completions, which load nothing else. */

export const AUDIT_ACTIONS = ['list', 'export', 'verify'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]
