/** Tenant of all runs in tests. */

export const TENANT = 'test'
