/**
 * Loop breaker: a model that keeps repeating the same call gets an error instead of another result.
 * Only consecutive calls count. Identical subagents in one answer are a fan-out, not a loop.
 */

import { sha256 } from '../../lib/digest.ts'
import { argsHash } from '../run/human-input/approval.ts'
import type { RunState } from '../run/state/state.ts'
import { isSpawn } from './builtin/sessions-spawn.ts'
import type { AskedCall } from './plan.ts'

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '0')

/**
 * Returns a function that reports whether a tool was already rejected with the same message,
 * including explained rejections.
 */
export function refusedBefore(state: RunState): (tool: string, refusal: string) => boolean {
  const past = [...state.calls.values()].flatMap(({ tool, refusal }) =>
    refusal === undefined ? [] : [{ tool, refusal: withoutNumbers(refusal) }],
  )
  return (tool, refusal) =>
    past.some((entry) => entry.tool === tool && entry.refusal.startsWith(withoutNumbers(refusal)))
}

/**
 * Returns a function that gives a call of the current answer its position in a row of identical
 * calls.
 */
export function inARow(state: RunState): (call: AskedCall) => number {
  const step = state.steps.length
  const past = [...state.calls.values()]
  const last = past.at(-1)
  let tool = last?.tool
  let hash = last && argsHash(last.arguments)
  let count = 0
  let at = -1
  for (const call of past.reverse()) {
    if (call.tool !== tool || argsHash(call.arguments) !== hash) break
    if (!isSpawn(call.tool) || call.step !== at) count += 1
    at = call.step
  }
  at = last?.step ?? -1
  return (call) => {
    const argumentsHash = sha256(call.arguments)
    if (call.tool !== tool || argumentsHash !== hash) count = 1
    else if (!isSpawn(call.tool) || at !== step) count += 1
    tool = call.tool
    hash = argumentsHash
    at = step
    return count
  }
}
