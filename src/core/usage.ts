/**
 * What a provider says it has used, believed as far as it can be true: whole numbers of tokens, not
 * below zero, not absurdly many, and not zero for a text that was there. Anything else is replaced
 * by an estimate from the bytes, which is marked, so that no answer voids a budget.
 */

import { LIMITS } from './limits.ts'
import type { Usage } from './message.ts'

export interface Reported {
  readonly input: unknown
  readonly output: unknown
}
/** Bytes of what was sent and of what came back; asked for only when they are needed. */
export interface Sizes {
  readonly input: () => number
  readonly output: () => number
}

/** A token has about four bytes; three err on the side of the budget. */
const TOKEN_BYTES = 3

/** The usage of one model call. */
export function believedUsage({ input, output }: Reported, sizes: Sizes): Usage {
  // Nothing is asked with nothing.
  const input_tokens = believed(input, () => 1)
  const output_tokens = believed(output, sizes.output)
  return {
    input_tokens: input_tokens ?? estimate(sizes.input()),
    output_tokens: output_tokens ?? estimate(sizes.output()),
    model_calls: 1,
    ...(input_tokens === undefined || output_tokens === undefined ? { estimated: true } : {}),
  }
}

function believed(tokens: unknown, bytes: () => number): number | undefined {
  if (!Number.isSafeInteger(tokens)) return undefined
  const count = tokens as number
  if (count < 0 || count > LIMITS.usage_tokens) return undefined
  return count === 0 && bytes() > 0 ? undefined : count
}

const estimate = (bytes: number): number =>
  Math.min(LIMITS.usage_tokens, Math.ceil(bytes / TOKEN_BYTES))
