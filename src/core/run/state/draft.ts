/** Run state while facts are folded: one copy per batch, modified in place. */

import { assert } from '../../../lib/assert.ts'
import type { Call, InputEntry, RunState, Step } from './state.ts'

/** Mutable run state while a batch is applied: the same fields, with copied collections. */
export type Draft = { -readonly [K in keyof RunState]: RunState[K] } & {
  steps: Step[]
  calls: Map<string, Call>
  pending_input: InputEntry[]
}

/**
 * Returns a copy of the run state for `apply` to modify. Only its creator may read it until folding
 * is done.
 */
export const draftOf = (state: RunState): Draft => ({
  ...state,
  steps: [...state.steps],
  calls: new Map(state.calls),
  pending_input: [...state.pending_input],
})

export function change(draft: Draft, id: string, by: (call: Call) => Call): void {
  const call = draft.calls.get(id)
  assert(call, `call ${id} not found`)
  draft.calls.set(id, by(call))
}
