/**
 * Budgets: the tokens and model calls that a run and everything below it may spend. A spawn gives
 * its child an allotment, which comes back with the announce; nothing is counted twice and nobody
 * shares a counter (protocol rule 23).
 */

import type { Usage } from '../message.ts'
import type { Price } from '../policy.ts'
import type { Allotted, Budget } from './fact-parts.ts'
import type { RunState } from './state.ts'
import { currentCalls, isUnborn } from './state.ts'

interface Left {
  readonly tokens: number
  readonly calls: number
}

/** The amount left here: the budget less usage and the allotments below. */
function left(state: RunState): Left {
  const { max_tokens, max_model_calls } = state.spec!.limits
  const { input_tokens, output_tokens, model_calls } = state.usage
  const tokens = (max_tokens ?? Number.POSITIVE_INFINITY) - input_tokens - output_tokens
  const calls = (max_model_calls ?? Number.POSITIVE_INFINITY) - model_calls
  if (!Number.isFinite(tokens) && !Number.isFinite(calls)) return { tokens, calls }
  const held = heldBelow(state)
  return { tokens: tokens - held.tokens, calls: calls - held.calls }
}

/**
 * The amount that may still be spent below: by children that have not announced their end, and by
 * survivors of those that have. The latter never comes back, because nobody reports its usage
 * further up.
 */
function heldBelow(state: RunState): Left {
  const sum = { tokens: 0, calls: 0 }
  for (const { id, child } of state.calls.values()) {
    const late = state.late_results.ends[id]
    const ended = child?.announce ?? late
    const held = ended ? ended.held : child?.allotment
    sum.tokens += held?.max_tokens ?? 0
    sum.calls += held?.max_model_calls ?? 0
  }
  return sum
}

/** Sent with an end: the amount that live runs below may spend after it. */
export function heldAtEnd(state: RunState): { readonly held?: Budget } {
  const { tokens, calls } = heldBelow(state)
  if (tokens === 0 && calls === 0) return {}
  return { held: { max_tokens: tokens, max_model_calls: calls } }
}

/** True when no model call may follow, at least until children give back what they hold. */
export function exhausted(state: RunState): boolean {
  if (state.spec === null || state.started === null) return false
  const { tokens, calls } = left(state)
  return tokens <= 0 || calls <= 0
}

/** An equal share for each spawn of the step and one for the parent itself. */
export function allotmentOf(state: RunState): Budget {
  const open = currentCalls(state).filter(isUnborn)
  const { tokens, calls } = left(state)
  const share = (amount: number): number | null =>
    Number.isFinite(amount) ? Math.max(0, Math.floor(amount / (open.length + 1))) : null
  return { max_tokens: share(tokens), max_model_calls: share(calls) }
}

/** An allotment with which not one call could be made. */
export const isNothing = ({ max_tokens, max_model_calls }: Budget): boolean =>
  max_tokens === 0 || max_model_calls === 0

/** Only what was given, so that most logs say nothing of budgets. */
export function allotted({ max_tokens = null, max_model_calls = null }: Budget): Allotted {
  if (max_tokens === null && max_model_calls === null) return {}
  return { allotment: { max_tokens, max_model_calls } }
}

const MILLION = 1_000_000
const DIGITS = 1_000_000_000

type Counted = Pick<
  Usage,
  'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens'
>

/**
 * The price of a call by the list, in the currency of the policy. Without a price of its own,
 * cached input costs as much as any input. Reasoning is output and is charged with it.
 */
export function listPrice(
  price: Price | undefined,
  { input_tokens, output_tokens, cache_read_tokens = 0, cache_write_tokens = 0 }: Counted,
): { readonly list_price?: number } {
  if (price === undefined) return {}
  const { input_per_million: full } = price
  const sum =
    (input_tokens - cache_read_tokens - cache_write_tokens) * full +
    cache_read_tokens * (price.cache_read_per_million ?? full) +
    cache_write_tokens * (price.cache_write_per_million ?? full) +
    output_tokens * price.output_per_million
  return { list_price: Math.round((sum / MILLION) * DIGITS) / DIGITS }
}
