/**
 * Actions of `strata secrets`, in a separate module so that help and completion load nothing else.
 */

export const SECRET_ACTIONS = ['list', 'set', 'delete'] as const
export type SecretAction = (typeof SECRET_ACTIONS)[number]
