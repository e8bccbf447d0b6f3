/**
 * Maximum compressed size of each Worker in KiB. Above 1,024 KiB, a Worker starts slowly and some
 * plans reject it. The margins of 90 KiB (main) and 100 KiB (sandbox) allow for routes and
 * dependency updates.
 */

export const BUDGET_KIB = { worker: 934, sandbox: 924 } as const
