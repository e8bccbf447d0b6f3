/** Whose runs the runs of tests are. */

export const TENANT = 'test'
