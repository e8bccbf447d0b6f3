/**
 * Validates stored rows. Each row is parsed here, and its required members are checked. An invalid
 * row is corrupt and never used as state.
 */

import type { RunFact } from '../../core/run/log/facts.ts'
import type { AlarmedHead, FactRow, Head } from './format.ts'

/**
 * Error for a row that is not JSON or lacks required members. The message names the kind of row and
 * never contains its text.
 */
class DamagedRow extends Error {
  override readonly name = 'DamagedRow'
}

/** Parses a stored row as `T`; `has` lists the required members by type. */
export function stored<T extends object>(
  label: string,
  body: string,
  has: Readonly<Partial<Record<keyof T & string, 'string' | 'number' | 'object'>>>,
): T {
  const value = json(label, body)
  if (typeof value !== 'object' || value === null) throw new DamagedRow(`${label}: not an object`)
  for (const [name, type] of Object.entries(has)) {
    const actualType = typeof (value as Record<string, unknown>)[name]
    if (actualType !== type) throw new DamagedRow(`${label}: ${name} has type ${actualType}`)
  }
  return value as T
}

/** Runs a parser of a row; returns `otherwise()` if the row is damaged. */
export function unlessDamaged<T, U>(parse: () => T, otherwise: () => U): T | U {
  try {
    return parse()
  } catch (error) {
    if (error instanceof DamagedRow) return otherwise()
    throw error
  }
}

export function storedList<T>(label: string, body: string): T[] {
  const value = json(label, body)
  if (!Array.isArray(value)) throw new DamagedRow(`${label}: not an array`)
  return value as T[]
}

function json(label: string, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new DamagedRow(`${label}: not valid JSON`)
  }
}

/** Parses the head row of a run or a fan-out, in any format. */
export const headOf = <V = unknown>(body: string): Head<V> =>
  stored<Head<V>>('a log head', body, {
    seq: 'number',
    commit: 'string',
    outbox: 'object',
  })

/** Parses a fact row of one commit. */
export const factsOf = <F = RunFact>(body: string): FactRow<F> =>
  stored<FactRow<F>>('a fact row', body, { first: 'number', at: 'number', facts: 'object' })

/** Parses the members that every head row has. */
export const alarmedHeadOf = (body: string): AlarmedHead => stored<AlarmedHead>('a head', body, {})
