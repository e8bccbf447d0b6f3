/** Names of memory in the cache of answers and among the drafts. */

export const MEMORY = ['memory'] as const
export const draftName = (path: string): string => `memory ${path}`
