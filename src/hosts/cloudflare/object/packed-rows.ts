/**
 * Rows of facts in the row of their head. An object is billed by the row, not by the byte, so a
 * commit of facts and head writes one row, and a short log is deleted as one. When they become
 * long, they become rows. All readers see the rows that were committed.
 */

import type { Row, Write } from '../../../ports/world.ts'

/** Characters of facts per row, which each commit rewrites. */
const MOST = 16_384

/** Separators that occur neither in keys nor in JSON. */
const ROW = '\u001e'
const BODY = '\u001f'

export type Fact = readonly [key: string, body: string]

type Put = Extract<Write, { op: 'put' }>
/** Created once, never changed: with no times and in no list. */
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
  /** The text of facts in the row of the head from now on; null: none. */
  readonly tail: string | null
  /** Facts that were there and become rows. */
  readonly out: readonly Fact[]
  /** Keys that must not be there. */
  readonly fresh: readonly string[]
  readonly rest: readonly Write[]
}

/** Undefined: nothing of this goes into the row of the head, or comes out of it. */
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

/** A commit without a head puts no facts into its row, and what it changes must be rows. */
export function unpack(tail: string | null, writes: readonly Write[]): Packed | undefined {
  if (tail === null || !mayTouchFacts(writes)) return undefined
  return { tail: null, out: factsIn(tail), fresh: [], rest: writes }
}

/** The rows of a partition, those in the row of the head among them, by their keys. */
export function unpacked(
  rows: readonly (Row & { readonly tail: string | null })[],
  after: string,
): Row[] {
  const stored = rows.map(({ key, version, body }): Row => ({ key, version, body }))
  const tail = rows.find((row) => row.tail !== null)?.tail
  if (tail == null) return stored
  const facts = factsIn(tail).filter(([key]) => key > after)
  const all = [...stored, ...facts.map(([key, body]): Row => ({ key, version: 1, body }))]
  return all.sort((row, other) => (row.key < other.key ? -1 : 1))
}
