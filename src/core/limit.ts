/**
 * Creates a limit from its value and the reason for it. The table of all limits is in `limits.ts`.
 */

export const bound = (value: number, reason: string) => ({ value, reason })
