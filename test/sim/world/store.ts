/**
 * The store's server side: rows, one lock per partition, indexes of alarms and lists that may lag,
 * and the limits of the strictest store. It passes the suite of the real ones (contract.test.ts) and
 * answers at once; when and whether an answer reaches its caller is the business of `ports.ts`.
 */

import { assert } from '../../../src/lib/assert.ts'
import { byteLength } from '../../../src/lib/bytes.ts'
import { compareKeys } from '../../../src/lib/order.ts'
import { isTagged } from '../../../src/lib/tags.ts'
import type {
  Alarm,
  Due,
  DueEntry,
  FoundRows,
  HeadWrite,
  ListedRow,
  Listing,
  Row,
  RowSearch,
  Write,
} from '../../../src/ports/world.ts'
import { FIND_ENTRIES, HEAD } from '../../../src/ports/world.ts'

export interface Held {
  readonly version: number
  readonly body: string
  readonly alarm: Alarm | undefined
  readonly listed: Listing | undefined
}

export interface Applied {
  readonly partition: string
  readonly writes: readonly Write[]
  readonly head: HeadWrite | undefined
  /** The rows as they were before, of those that were written. */
  readonly before: ReadonlyMap<string, Held>
}

/** What one commit may hold: DynamoDB's transaction, and the port's word about a body. */
const MAX_WRITES = 100
const MAX_BODY = 131_072
export const DUE_PAGE = 20
const LIST_PAGE = 100

/** `what`: the part of the indexes that shows this row; `under`: the lists that have or had it. */
type Later = (row: string, update: () => void, of: Indexed) => void
export type Indexed =
  | { readonly what: 'both' }
  | { readonly what: 'alarm' }
  | { readonly what: 'list'; readonly under: readonly string[] }

export class StoreServer {
  readonly partitions = new Map<string, Map<string, Held>>()
  /** Alarms and lists as the indexes show them, by partition and key. */
  readonly #index = new Map<string, DueEntry>()
  readonly #lists = new Map<string, Listing & { partition: string; key: string }>()
  readonly #onCommit: (applied: Applied) => void
  /** Called with what brings the index up to date; it may be called later, but in order. */
  readonly #later: Later
  readonly #duePage: number
  /** Alarms and lists are two indexes, each of which may lag by itself. */
  readonly #apart: boolean

  constructor(
    onCommit: (applied: Applied) => void,
    later: Later,
    duePage = DUE_PAGE,
    apart = false,
  ) {
    this.#duePage = duePage
    this.#apart = apart
    this.#onCommit = onCommit
    this.#later = later
  }

  read(partition: string, after = ''): Row[] {
    const rows: Row[] = []
    for (const [key, { version, body }] of this.partitions.get(partition) ?? []) {
      if (key > after) rows.push({ key, version, body })
    }
    return rows.sort((left, right) => compareKeys(left.key, right.key))
  }

  head(partition: string): Row | null {
    const head = this.partitions.get(partition)?.get(HEAD)
    return head ? { key: HEAD, version: head.version, body: head.body } : null
  }

  commit(partition: string, writes: readonly Write[], head?: HeadWrite): 'ok' | 'conflict' {
    checkLimits(writes, head)
    const rows = this.partitions.get(partition) ?? new Map<string, Held>()
    if (head && (rows.get(HEAD)?.version ?? null) !== head.expect) return 'conflict'
    for (const write of writes) {
      if (write.op === 'put' && write.expect === 'absent' && rows.has(write.key)) return 'conflict'
    }
    const before = new Map<string, Held>()
    const put = (key: string, row: Pick<HeadWrite, 'body' | 'alarm' | 'listed'>): void => {
      const old = rows.get(key)
      if (old) before.set(key, old)
      const version = (old?.version ?? 0) + 1
      rows.set(key, { version, body: row.body, alarm: row.alarm, listed: row.listed })
      this.#reindex(partition, key, row)
    }
    for (const write of writes) {
      if (write.op === 'put') put(write.key, write)
      else if (rows.has(write.key)) {
        before.set(write.key, rows.get(write.key)!)
        rows.delete(write.key)
        this.#reindex(partition, write.key, {})
      }
    }
    if (head) put(HEAD, head)
    this.partitions.set(partition, rows)
    this.#onCommit({ partition, writes, head, before })
    return 'ok'
  }

  drop(partition: string): void {
    const keys = [...(this.partitions.get(partition)?.keys() ?? [])]
    this.partitions.delete(partition)
    for (const key of keys) this.#reindex(partition, key, {})
  }

  #reindex(partition: string, key: string, { alarm, listed }: Pick<HeadWrite, 'alarm' | 'listed'>) {
    const row = `${partition}\0${key}`
    const alarms = (): void => {
      if (alarm) this.#index.set(row, { partition, alarm })
      else this.#index.delete(row)
    }
    const lists = (): void => {
      if (listed) this.#lists.set(row, { ...listed, partition, key })
      else this.#lists.delete(row)
    }
    if (this.#apart) {
      const before = this.#lists.get(row)
      this.#later(row, alarms, { what: 'alarm' })
      if (!listed && !before) return
      const under = [before?.under, listed?.under].filter((one) => one !== undefined)
      return this.#later(row, lists, { what: 'list', under })
    }
    const both = (): void => {
      alarms()
      lists()
    }
    this.#later(row, both, { what: 'both' })
  }

  /** `of`: of these partitions only. */
  due(now: number, cursor?: string, of: (partition: string) => boolean = () => true): Due {
    const found: { sort: string; entry: DueEntry }[] = []
    for (const [row, entry] of this.#index) {
      if (entry.alarm.at > now || !of(entry.partition)) continue
      const at = String(entry.alarm.at).padStart(16, '0')
      const sort = [entry.alarm.started ? 0 : 1, at, row].join('\0')
      if (cursor === undefined || sort > cursor) found.push({ sort, entry })
    }
    found.sort((left, right) => (left.sort < right.sort ? -1 : 1))
    const page = found.slice(0, this.#duePage)
    const entries = page.map(({ entry }) => entry)
    return found.length > page.length ? { entries, cursor: page.at(-1)!.sort } : { entries }
  }

  /** Every partition that the index shows as due, however many pages that would be. */
  allDue(now: number): Set<string> {
    const due = [...this.#index.values()].filter(({ alarm }) => alarm.at <= now)
    return new Set(due.map(({ partition }) => partition))
  }

  /** The earliest alarm that the index shows; undefined when there is none. */
  nextAlarm(of: (partition: string) => boolean = () => true): number | undefined {
    let first: number | undefined
    for (const { partition, alarm } of this.#index.values()) {
      if (!of(partition)) continue
      if (first === undefined || alarm.at < first) first = alarm.at
    }
    return first
  }

  /** What the index shows, as far as the row still stands in that list. */
  list(under: string, before?: string, limit = LIST_PAGE): ListedRow[] {
    const found = this.#inList(under).filter(({ at }) => before === undefined || at < before)
    return found.slice(0, limit).map(({ tags: _, ...row }) => row)
  }

  find(under: string, wanted: RowSearch): FoundRows {
    const { above = '', below, order, limit } = wanted
    const within = this.#inList(under).filter(
      ({ at }) => at > above && (below === undefined || at < below),
    )
    const looked = (order === 'newest' ? within : within.reverse()).slice(0, FIND_ENTRIES)
    const fits = looked.filter(({ tags }) => isTagged(tags, wanted)).slice(0, limit)
    const rows = fits.map(({ tags: _, ...row }) => row)
    const last = rows.length === limit ? rows.at(-1) : undefined
    const reached = last ?? (looked.length === FIND_ENTRIES ? looked.at(-1) : undefined)
    return { rows, ...(reached && { reached: reached.at }) }
  }

  /** Newest first, with the tags as the index shows them. */
  #inList(under: string): (ListedRow & { tags: string | undefined })[] {
    const found: (ListedRow & { tags: string | undefined })[] = []
    for (const { under: shown, at, partition, key, tags } of this.#lists.values()) {
      if (shown !== under) continue
      const row = this.partitions.get(partition)?.get(key)
      if (row?.listed?.under !== under || row.listed.at !== at) continue
      found.push({ partition, key, at, body: row.body, tags })
    }
    return found.sort((left, right) => (left.at > right.at ? -1 : 1))
  }
}

function checkLimits(writes: readonly Write[], head: HeadWrite | undefined): void {
  const puts = [...writes.filter((write) => write.op === 'put'), ...(head ? [head] : [])]
  const keys = [...writes.map(({ key }) => key), ...(head ? [HEAD] : [])]
  assert(keys.length <= MAX_WRITES, `a commit holds ${MAX_WRITES} rows, not ${keys.length}`)
  assert(new Set(keys).size === keys.length, 'a commit names each row once')
  for (const { body } of puts) {
    const bytes = byteLength(body)
    assert(bytes <= MAX_BODY, `a body has ${MAX_BODY} bytes, not ${bytes}`)
  }
}
