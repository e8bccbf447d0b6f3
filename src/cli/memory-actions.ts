/**
 * Actions of `strata memory`, in a separate module so that help and completion load nothing else.
 */

export const MEMORY_ACTIONS = ['search', 'get', 'write', 'list', 'status', 'rebuild'] as const
export type MemoryAction = (typeof MEMORY_ACTIONS)[number]
