/**
 * Usage as a provider reports it, accepted as far as it can be true: whole numbers of tokens, not
 * below zero, not absurdly many, and not zero for a text that was there. Anything else is replaced
 * by an estimate from the bytes, which is marked, so that no answer voids a budget. Cached and
 * reasoning tokens are shares of these counts; one that cannot be true is left out and marked too.
 */

import { LIMITS } from './limits.ts'
import type { Usage } from './message.ts'

export interface Reported {
  readonly input: unknown
  readonly output: unknown
  /** Part of the input. */
  readonly cacheRead?: unknown
  readonly cacheWrite?: unknown
  /** Part of the output. */
  readonly reasoning?: unknown
}
/** Bytes of what was sent and of what came back; asked for only when they are needed. */
export interface Sizes {
  readonly input: () => number
  readonly output: () => number
}

/** A token has about four bytes; three err on the side of the budget. */
export const BYTES_PER_TOKEN = 3

/** The usage of one model call. */
export function believedUsage(reported: Reported, sizes: Sizes): Usage {
  // Nothing is asked with nothing.
  const input_tokens = believed(reported.input, () => 1)
  const output_tokens = believed(reported.output, sizes.output)
  const cached = sharesOf(input_tokens, {
    cache_read_tokens: reported.cacheRead,
    cache_write_tokens: reported.cacheWrite,
  })
  const thought = sharesOf(output_tokens, { reasoning_tokens: reported.reasoning })
  return {
    input_tokens: input_tokens ?? estimate(sizes.input()),
    output_tokens: output_tokens ?? estimate(sizes.output()),
    model_calls: 1,
    ...cached,
    ...thought,
    ...(input_tokens === undefined || output_tokens === undefined || !cached || !thought
      ? { estimated: true }
      : {}),
  }
}

/** Shares above zero; undefined when together they cannot be parts of the total. */
function sharesOf(
  total: number | undefined,
  reported: Readonly<Record<string, unknown>>,
): Readonly<Record<string, number>> | undefined {
  const counts = Object.entries(reported).filter(([, tokens]) => tokens != null && tokens !== 0)
  if (counts.length === 0) return {}
  let remaining = total ?? -1
  for (const [, tokens] of counts) {
    if (!Number.isSafeInteger(tokens) || (tokens as number) < 0) return undefined
    remaining -= tokens as number
  }
  return remaining < 0 ? undefined : (Object.fromEntries(counts) as Record<string, number>)
}

function believed(tokens: unknown, bytes: () => number): number | undefined {
  if (!Number.isSafeInteger(tokens)) return undefined
  const count = tokens as number
  if (count < 0 || count > LIMITS.usage_tokens) return undefined
  return count === 0 && bytes() > 0 ? undefined : count
}

const estimate = (bytes: number): number =>
  Math.min(LIMITS.usage_tokens, Math.ceil(bytes / BYTES_PER_TOKEN))
