/** Actions of `strata secrets`, for its help and completions, which load nothing else. */

export const SECRET_ACTIONS = ['set', 'list', 'delete', 'reseal'] as const
export type SecretAction = (typeof SECRET_ACTIONS)[number]
