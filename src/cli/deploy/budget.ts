/**
 * Maximum compressed size of each Worker in KiB. Above 1,024 KiB a Worker starts slowly and some
 * plans refuse it. The main one stays 90 KiB below and the sandbox 100, which leaves room for
 * routes and dependency updates.
 */

export const BUDGET_KIB = { worker: 934, sandbox: 924 } as const
