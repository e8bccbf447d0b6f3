/**
 * Facts in the item of their head. A write is billed by the KB and twice in a transaction, so a
 * commit of head and facts that fit in one item is one conditional write, and a short log is one
 * item, which the table can forget by itself. When they become long, they become rows. Everybody
 * else sees the rows that were committed. How an item stands is kept in memory by its version: who
 * commits has read it, and the condition of the write is that version.
 *
 * An older release sees the head alone, and would write it without them. To it the head is one of a
 * newer format (`masked`), and each write of it is refused: the version has a digit far behind the
 * point, which no number of its language holds. A ciphertext shows no format, and is not packed.
 */

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { FORMAT } from '../../engine/partition/format.ts'
import type { Row, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { type Item, keyOf, type StoredBody, text } from './table.ts'

const FACTS = 'f/'
/** Bytes of facts in one item: more of them cost less as rows. */
const MOST = 2_600
/** Bytes of an attribute beside its value, at the most (developer guide, "Item sizes"). */
const OVERHEAD = 8
/** Items that are kept in memory. */
const KEPT = 1_000

type Put = Extract<Write, { op: 'put' }>
type Facts = Readonly<Record<string, AttributeValue>>

/** The item of a head as it is at one version. */
export interface Standing {
  readonly version: number
  /** Facts in it, by their keys. */
  readonly facts: Facts
  /** Rows were committed beside it, which stay. */
  readonly hasRows: boolean
}

const standingOf = (item: Item): Standing => ({
  version: Number(item.v?.N),
  facts: item.f?.M ?? {},
  // Made by a release that packed nothing: all its facts are rows.
  hasRows: item.f === undefined || item.o !== undefined,
})

export interface Standings {
  /** Of a head that was read. */
  note(item: Item): Standing
  /** As it is at this version; undefined: it has another one by now. */
  at(partition: string, version: number): Promise<Standing | undefined>
  keep(partition: string, standing: Standing): void
  forget(partition: string): void
}

/** `get`: items by their keys. */
export function standings(get: (keys: readonly Item[]) => Promise<readonly Item[]>): Standings {
  const kept = new Map<string, Standing>()
  const keep = (partition: string, standing: Standing): void => {
    kept.delete(partition)
    kept.set(partition, standing)
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  }
  const note = (item: Item): Standing => {
    const standing = standingOf(item)
    const partition = item.p?.S ?? ''
    if (holdsFacts(partition)) keep(partition, standing)
    return standing
  }
  return {
    note,
    keep,
    async at(partition, version) {
      const seen = kept.get(partition)
      if (seen?.version === version) return seen
      const [item] = await get([keyOf(partition, HEAD)])
      const standing = item && note(item)
      return standing?.version === version ? standing : undefined
    },
    forget: (partition) => void kept.delete(partition),
  }
}

/** Kinds of partitions whose rows are facts, and their head. */
export const holdsFacts = (partition: string): boolean => /^[^/]+\/(?:run|fanout)\//.test(partition)

export interface Masked {
  /** The head as older releases read it. */
  readonly body: string
  readonly format: number
}

/** Undefined: it is no head of a log that can be read here. */
export function masked(body: string): Masked | undefined {
  if (!body.startsWith('{')) return undefined
  const head = JSON.parse(body) as Readonly<Record<string, unknown>>
  const { format } = head
  if (typeof format !== 'number') return undefined
  return { body: JSON.stringify({ ...head, format: FORMAT + 1 }), format }
}

export const unmasked = (body: string, { h }: Item): string =>
  h?.N === undefined ? body : JSON.stringify({ ...JSON.parse(body), format: Number(h.N) })

/** A version as a head with facts bears it: DynamoDB compares 38 digits, `Number` reads 17. */
export const versionOf = (version: number, isPacked: boolean): AttributeValue => ({
  N: isPacked ? `${version}.00000000000000000000000001` : String(version),
})

/** Created once, never changed: with no times and in no list. */
const isFact = (write: Write): write is Put =>
  write.op === 'put' &&
  write.key.startsWith(FACTS) &&
  write.expect === 'absent' &&
  write.alarm === undefined &&
  write.listed === undefined &&
  write.expiresAt === undefined

export interface Packed {
  /** All facts in the item from now on. */
  readonly facts: Facts
  /** Facts that were in it and become rows. */
  readonly out: Facts
  /** Writes beside the item. */
  readonly rest: readonly Write[]
  readonly hasRows: boolean
  /** The head, if there are facts in its item; `wasPacked`: there were before. */
  readonly mask: Masked | undefined
  readonly wasPacked: boolean
}

interface Packing {
  /** The id of the commit. */
  readonly commit: string
  /** Undefined: nothing is packed. */
  readonly mask: Masked | undefined
  readonly bodyOf: (write: Put) => StoredBody
}

/** Divides a commit with a head between the item of that and rows. */
export function pack(
  writes: readonly Write[],
  before: Standing | undefined,
  { commit, mask, bodyOf }: Packing,
): Packed {
  const { facts: old, hasRows } = before ?? { facts: {}, hasRows: false }
  const added = new Map<string, AttributeValue>()
  const rest = writes.filter((write) => {
    const body = isFact(write) ? bodyOf(write) : undefined
    if (!body || 's' in body) return true
    added.set(write.key, { M: { c: text(commit), ...body } })
    return false
  })
  const all = { ...old, ...Object.fromEntries(added) }
  const puts = rest.filter(({ op }) => op === 'put')
  // Facts lie in the item from the beginning and all of them, or are rows.
  const fits =
    mask !== undefined &&
    (!before || Object.keys(old).length > 0) &&
    !rest.some(({ key }) => key.startsWith(FACTS)) &&
    ![...added.keys()].some((key) => key in old) &&
    lengthOf(all) <= MOST
  const isPacked = fits && Object.keys(all).length > 0
  const wasPacked = Object.keys(old).length > 0
  if (!isPacked)
    return { facts: {}, out: old, rest: writes, hasRows: true, mask: undefined, wasPacked }
  return { facts: all, out: {}, rest, hasRows: hasRows || puts.length > 0, mask, wasPacked }
}

const lengthOf = (facts: Facts): number =>
  Object.entries(facts).reduce((sum, [key, value]) => {
    const { b, z } = value.M ?? {}
    const body = b?.S === undefined ? (z?.B?.length ?? 0) : Buffer.byteLength(b.S)
    return sum + key.length + body + 4 * OVERHEAD
  }, 0)

/** The rows of an item: its facts that come after this key, in order. */
export async function factsOf(
  { facts }: Standing,
  after: string,
  load: (item: Item) => Promise<string>,
): Promise<Row[]> {
  const some = Object.entries(facts).filter(([key]) => key > after)
  const rows = some.map(async ([key, { M = {} }]) => ({ key, version: 1, body: await load(M) }))
  return (await Promise.all(rows)).sort((one, other) => (one.key < other.key ? -1 : 1))
}
