/** Commands of `strata audit`, in a separate module so that help and completion load nothing else. */

export const AUDIT_COMMANDS = ['list', 'export', 'verify'] as const
export type AuditCommand = (typeof AUDIT_COMMANDS)[number]
