/**
 * Store on Cloudflare: each run, fan-out, session, and delivery is in the SQLite storage of a
 * Durable Object. All other data and all other lists are in D1. A list shows copies of rows, which
 * the objects of these rows write afterwards (`copies.ts`). A list may therefore lag, as in every
 * store (PROTOCOL.md rule 46).
 */

import { tellingTrouble } from '../../../lib/unavailable.ts'
import type { Row, Store } from '../../../ports/world.ts'
import { holderOf, isHourly } from '../bindings/address.ts'
import type {
  Bindings,
  Namespace,
  PartitionCalls,
  Question,
  Remote,
  RowName,
} from '../bindings/bindings.ts'
import type { Spending } from '../bindings/budget.ts'
import { gathered } from '../bindings/call-batch.ts'
import { isOurs, messageOf } from '../bindings/failure.ts'

/** Store operations that affect only one object. */
export type Rows = Pick<
  Store,
  'read' | 'heads' | 'commit' | 'drop' | 'list' | 'find' | 'readIndexed' | 'writeIndexed'
>

export type Lists = Pick<Store, 'list' | 'find'>

export interface PartitionParts {
  /** Store for partitions that no object stores, and for queries across partitions. */
  readonly index: Store
  readonly holderOf: (partition: string) => string | undefined
  /** Returns the name of the object that has all rows of a list. */
  readonly listerOf?: (under: string) => string | undefined
  readonly at: (object: string) => Rows
  /** Lists that cover complete tenants, if objects contain copies of their rows. */
  readonly lists?: Lists
}

export function partitionStore(parts: PartitionParts): Store {
  const { index, holderOf, listerOf = () => undefined, at, lists = index } = parts
  const listsOf = (under: string): Lists => {
    const object = listerOf(under)
    if (object !== undefined) return at(object)
    return isHourly(under) ? lists : index
  }
  const of = (partition: string): Rows => {
    const object = holderOf(partition)
    return object === undefined ? index : at(object)
  }
  return {
    read: (partition, after) => of(partition).read(partition, after),
    heads: async (partitions) => {
      const groups = Map.groupBy(partitions, holderOf)
      const headRows = new Map<string, Row | null>()
      const ask = async ([object, group]: [string | undefined, string[]]): Promise<void> => {
        const rows = await (object === undefined ? index : at(object)).heads(group)
        for (const [i, partition] of group.entries()) headRows.set(partition, rows[i] ?? null)
      }
      await Promise.all([...groups].map(ask))
      return partitions.map((partition) => headRows.get(partition) ?? null)
    },
    commit: (partition, writes, head) => of(partition).commit(partition, writes, head),
    due: index.due,
    list: (under, beforeKey, limit) => listsOf(under).list(under, beforeKey, limit),
    find: (under, search) => listsOf(under).find(under, search),
    drop: (partition) => of(partition).drop(partition),
    readIndexed: (partition) => of(partition).readIndexed!(partition),
    writeIndexed: (partition, rows) => of(partition).writeIndexed!(partition, rows),
  }
}

/** Reads the answers to several questions; returns them in the order of the questions. */
export const answerQuestions = (
  store: Pick<Store, 'read' | 'heads'>,
  questions: readonly Question[],
): Promise<(readonly (Row | null)[])[]> =>
  Promise.all(
    questions.map((question) =>
      'of' in question ? store.read(question.of, question.after) : store.heads(question.heads),
    ),
  )

/** Sends list copies of rows to the object that stores the partition `of` (`copies.ts`). */
export function sendCopies(
  { PARTITIONS }: Pick<Bindings, 'PARTITIONS'>,
  of: string,
  { copies, gone: removed }: { readonly copies: unknown[][]; readonly gone: readonly RowName[] },
  spending: Spending,
): Promise<void> {
  spending.spend('calls', 1)
  return PARTITIONS.getByName(holderOf(of)!).copied(of, JSON.stringify(copies), removed)
}

const TRIES = 3

/**
 * Returns the rows of another object, accessed by calls. If the response to a commit is lost, the
 * outcome is ambiguous. `spending` is the budget of the calling object, whose concurrent reads may
 * share one call; without it, reads are not batched, because requests must not wait for each
 * other's reads.
 */
export function remoteRows(
  objects: Namespace<PartitionCalls>,
  name: string,
  spending?: Spending,
): Rows {
  const call = <T>(act: (object: Remote<PartitionCalls>) => Promise<T>): Promise<T> => {
    spending?.spend('calls', 1)
    // After a failure, a Durable Object is reachable only by a new stub.
    return act(objects.getByName(name))
  }
  /** Retries calls that change nothing, or that change nothing when repeated. */
  const retry = async <T>(act: (object: Remote<PartitionCalls>) => Promise<T>): Promise<T> => {
    for (let count = 1; ; count += 1) {
      try {
        return await call(act)
      } catch (error) {
        if (count === TRIES || !isRetryable(error)) throw error
      }
    }
  }
  const rows: Rows = {
    read: (partition, after) => retry((object) => object.read(partition, after)),
    heads: (partitions) => retry((object) => object.heads(partitions)),
    async commit(partition, writes, head) {
      try {
        return await call((object) => object.commit(partition, writes, head))
      } catch (error) {
        if (!isTrouble(error)) throw error
        return 'ambiguous'
      }
    },
    drop: (partition) => retry((object) => object.drop(partition)),
    list: (under, beforeKey, limit) => retry((object) => object.list(under, beforeKey, limit)),
    find: (under, search) => retry((object) => object.find(under, search)),
    readIndexed: (partition) => retry((object) => object.readIndexed(partition)),
    writeIndexed: (partition, all) => retry((object) => object.writeIndexed(partition, all)),
  }
  if (!spending) return tellingTrouble(rows, isTrouble)
  const ask = gathered((_, questions: readonly Question[]) =>
    retry((object) => object.answer(questions)),
  )
  const batched: Rows = {
    ...rows,
    read: async (of, after) => (await ask(name, { of, after })) as Row[],
    heads: async (heads) => [...(await ask(name, { heads }))],
  }
  return tellingTrouble(batched, isTrouble)
}

/**
 * Reports whether the platform marks the error as retryable: "suggested to be retried if requests
 * are idempotent". Calls to overloaded objects are never retried
 * (developers.cloudflare.com/durable-objects/best-practices/error-handling).
 */
const isRetryable = (error: unknown): boolean => {
  const { retryable, overloaded } = error as { retryable?: unknown; overloaded?: unknown }
  return retryable === true && overloaded !== true
}

/** Reports whether the platform failed; an error that the object itself threw is a bug. */
function isTrouble(error: unknown): boolean {
  const { remote } = error as { remote?: unknown }
  return remote !== true && !isOurs(messageOf(error))
}
