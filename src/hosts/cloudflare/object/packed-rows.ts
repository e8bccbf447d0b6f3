/**
 * Stores fact rows inside the row of their head. An object is billed per row, not per byte. A
 * commit of facts and head therefore writes one row, and a short log is deleted as one row. Long
 * facts are moved to separate rows. All readers see the rows as committed.
 */

import type { Row, Write } from '../../../ports/world.ts'

/** Maximum length of the facts in the head row, in characters; each commit rewrites them. */
const MOST = 16_384

/** Separators of serialized facts; they occur neither in keys nor in JSON. */
const ROW = '\u001e'
const BODY = '\u001f'

export type Fact = readonly [key: string, body: string]

type Put = Extract<Write, { op: 'put' }>
/** Reports whether a row is a fact: never changed, and without alarm, expiry, or list position. */
const isFact = (write: Write): write is Put =>
  write.op === 'put' &&
  write.key.startsWith('f/') &&
  write.expect === 'absent' &&
  write.alarm === undefined &&
  write.listed === undefined &&
  write.expiresAt === undefined &&
  !write.body.includes(ROW) &&
  !write.body.includes(BODY)

export const factsIn = (tail: string): readonly Fact[] =>
  tail.split(ROW).map((row) => {
    const at = row.indexOf(BODY)
    return [row.slice(0, at), row.slice(at + 1)]
  })

const textOf = (facts: readonly Fact[]): string =>
  facts.map(([key, body]) => `${key}${BODY}${body}`).join(ROW)

export interface Packed {
  /** Serialized facts to write to the head row; null if none remain there. */
  readonly tail: string | null
  /** Facts in the head row that become separate rows. */
  readonly out: readonly Fact[]
  /** Keys of new facts, which must not exist yet. */
  readonly fresh: readonly string[]
  readonly rest: readonly Write[]
}

/** Plans moving facts into or out of the head row; returns undefined if neither is required. */
export function pack(tail: string | null, writes: readonly Write[]): Packed | undefined {
  const facts = writes.filter(isFact)
  const otherWrites = writes.filter((write) => !isFact(write))
  const touches = tail !== null && otherWrites.some(({ key }) => key.startsWith('f/'))
  if (facts.length === 0 && !touches) return undefined
  const fresh = facts.map(({ key }) => key)
  const added = textOf(facts.map(({ key, body }) => [key, body]))
  const all = tail === null || added === '' ? `${tail ?? ''}${added}` : `${tail}${ROW}${added}`
  if (!touches && all.length <= MOST) return { tail: all, out: [], fresh, rest: otherWrites }
  const out = tail === null ? [] : factsIn(tail)
  if (!touches && added.length <= MOST) return { tail: added, out, fresh, rest: otherWrites }
  return { tail: null, out, fresh, rest: writes }
}

export const mayTouchFacts = (writes: readonly Write[]): boolean =>
  writes.some(({ key }) => key.startsWith('f/'))

/**
 * Plans moving facts out of the head row for a commit without a head. Such a commit adds no facts
 * to the head row, and its changes must be separate rows.
 */
export function unpack(tail: string | null, writes: readonly Write[]): Packed | undefined {
  if (tail === null || !mayTouchFacts(writes)) return undefined
  return { tail: null, out: factsIn(tail), fresh: [], rest: writes }
}

/** Returns a partition's rows after the key `after`, by key, including facts in the head row. */
export function unpacked(
  rows: readonly (Row & { readonly tail: string | null })[],
  after: string,
): Row[] {
  const stored = rows.map(({ key, version, body }): Row => ({ key, version, body }))
  const tail = rows.find((row) => row.tail !== null)?.tail
  return withFacts(stored, tail ?? null, after)
}

/** Adds the facts of a head row, after the key `after`, to the rows of its partition, by key. */
export function withFacts<T extends Row>(
  rows: readonly T[],
  tail: string | null,
  after = '',
): (T | Row)[] {
  if (tail === null) return [...rows]
  const facts = factsIn(tail).filter(([key]) => key > after)
  const all = [...rows, ...facts.map(([key, body]): Row => ({ key, version: 1, body }))]
  return all.sort((row, other) => (row.key < other.key ? -1 : 1))
}
