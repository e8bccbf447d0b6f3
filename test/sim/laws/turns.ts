/** The order of calls of one answer on the same thing. */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Shadow } from '../shadow/shadow.ts'

/** Tools of the simulated model, by thing; whether they change it. */
const THINGS: Readonly<Record<string, readonly [thing: string, changes: boolean]>> = {
  file_read: ['files', false],
  file_write: ['files', true],
  file_edit: ['files', true],
  memory_search: ['memory', false],
  memory_write: ['memory', true],
  todo: ['list', true],
}

export function I8_callsTakeTurns({ calls }: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'tool.call') return undefined
  const call = calls.get(fact.call)
  const [thing, changes] = THINGS[fact.tool] ?? []
  if (!call || thing === undefined) return undefined
  for (const other of calls.values()) {
    if (other.step !== call.step || other.order >= call.order || other.result) continue
    const [same, changed] = THINGS[other.tool] ?? []
    if (same === thing && (changes || changed))
      return `${fact.tool} begins before ${other.tool} of the same answer has its result`
  }
  return undefined
}
