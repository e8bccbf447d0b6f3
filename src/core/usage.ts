/**
 * Validates the usage that a provider reports. Token counts must be non-negative integers within a
 * plausible range, and not zero for non-empty text. Other values are replaced by an estimate from
 * the byte count and marked, so that no response bypasses a budget. Cached and reasoning tokens are
 * parts of these counts; an implausible part is dropped and also marked.
 */

import { LIMITS } from './limits.ts'
import type { Usage } from './message.ts'

export interface Reported {
  readonly input: unknown
  readonly output: unknown
  /** Cached tokens, included in the input tokens. */
  readonly cacheRead?: unknown
  readonly cacheWrite?: unknown
  /** Reasoning tokens, included in the output tokens. */
  readonly reasoning?: unknown
}
/** Byte counts of a model request and its response, computed only when needed. */
export interface Sizes {
  readonly input: () => number
  readonly output: () => number
}

/** Estimated bytes per token. The average is about four; three protects the budget. */
export const BYTES_PER_TOKEN = 3

/** Returns the usage of one model call after validation. */
export function believedUsage(reported: Reported, sizes: Sizes): Usage {
  // A model request is never empty, so the input is at least one token.
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

/** Returns the token parts above zero, or undefined if their sum exceeds the total. */
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
