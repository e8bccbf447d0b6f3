/**
 * The most that each Worker may have, compressed, in KiB. One above 1,024 KiB starts slowly and is
 * refused on some plans. The main one stays 90 KiB below that and the sandbox 100, so that new
 * routes and larger versions of dependencies fit.
 */

export const BUDGET_KIB = { worker: 934, sandbox: 924 } as const
