/** Actions of `strata memory`, for its help and completions, which load nothing else. */

export const MEMORY_ACTIONS = ['search', 'get', 'write', 'list', 'status', 'rebuild'] as const
export type MemoryAction = (typeof MEMORY_ACTIONS)[number]
