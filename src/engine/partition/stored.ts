/**
 * The wall between the store and the engine: every row is parsed here, once, and what it must have
 * is checked before anything is done with it. A row that does not fit is damage, never a state.
 */

import type { RunFact } from '../../core/run/log/facts.ts'
import type { AlarmedHead, FactRow, Head } from './format.ts'

/** A row that is no JSON or lacks what its kind always has. Names the row's kind, never its text. */
class DamagedRow extends Error {
  override readonly name = 'DamagedRow'
}

/** A stored row as `T`; `has`: the members without which it makes no sense, by their types. */
export function stored<T extends object>(
  label: string,
  body: string,
  has: Readonly<Partial<Record<keyof T & string, 'string' | 'number' | 'object'>>>,
): T {
  const value = json(label, body)
  if (typeof value !== 'object' || value === null) throw new DamagedRow(`${label}: no object`)
  for (const [name, type] of Object.entries(has)) {
    const actualType = typeof (value as Record<string, unknown>)[name]
    if (actualType !== type) throw new DamagedRow(`${label}: ${name} is ${actualType}`)
  }
  return value as T
}

/** A stored list. */
export function storedList<T>(label: string, body: string): T[] {
  const value = json(label, body)
  if (!Array.isArray(value)) throw new DamagedRow(`${label}: no list`)
  return value as T[]
}

function json(label: string, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new DamagedRow(`${label}: no JSON`)
  }
}

/** The head of a run or fan-out, of whatever format. */
export const headOf = <V = unknown>(body: string): Head<V> =>
  stored<Head<V>>('the head of a log', body, {
    seq: 'number',
    commit: 'string',
    outbox: 'object',
  })

/** A row of facts of one commit. */
export const factsOf = <F = RunFact>(body: string): FactRow<F> =>
  stored<FactRow<F>>('a row of facts', body, { first: 'number', at: 'number', facts: 'object' })

/** The members that every head has: of a run, a session, a delivery, an endpoint. */
export const alarmedHeadOf = (body: string): AlarmedHead => stored<AlarmedHead>('a head', body, {})
