/**
 * The loop breaker: a model that makes the same call again and again gets an error instead of one
 * more result. Only calls in a row count; equal subagents of one answer are a fan-out, not a loop.
 */

import { sha256 } from '../../lib/digest.ts'
import { argsHash } from '../run/human-input/approval.ts'
import type { RunState } from '../run/state/state.ts'
import { isSpawn } from './builtin/sessions-spawn.ts'
import type { AskedCall } from './plan.ts'

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '0')

/** Says whether a tool was refused by a sentence before, also where it was explained. */
export function refusedBefore(state: RunState): (tool: string, refusal: string) => boolean {
  const past = [...state.calls.values()].flatMap(({ tool, refusal }) =>
    refusal === undefined ? [] : [{ tool, refusal: withoutNumbers(refusal) }],
  )
  return (tool, refusal) =>
    past.some((entry) => entry.tool === tool && entry.refusal.startsWith(withoutNumbers(refusal)))
}

/** Says of each call of the answer that is due, in order, the how manieth in a row it is. */
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
