/** Maps an ended run to an A2A task state, with a message for people. */

export type EndedState = 'COMPLETED' | 'FAILED' | 'CANCELED' | 'REJECTED'

interface Ended {
  readonly type: string
  readonly stop_reason?: unknown
  readonly reason?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

export function ending({
  type,
  stop_reason = 'end_turn',
  reason,
  error,
}: Ended): [EndedState, string?] {
  if (type === 'run.completed') {
    if (stop_reason === 'refusal') return ['REJECTED', 'The model refused.']
    return stop_reason === 'end_turn'
      ? ['COMPLETED']
      : ['COMPLETED', `The run stopped early: ${stop_reason}.`]
  }
  if (type === 'run.cancelled')
    return typeof reason === 'string' ? ['CANCELED', reason] : ['CANCELED']
  return ['FAILED', `${error?.code}: ${error?.message}`]
}
