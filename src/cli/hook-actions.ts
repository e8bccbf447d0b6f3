/** Actions of `strata hooks`, for its help and completions, which load nothing else. */

export const HOOK_ACTIONS = ['list', 'create', 'try'] as const
export type HookAction = (typeof HOOK_ACTIONS)[number]
