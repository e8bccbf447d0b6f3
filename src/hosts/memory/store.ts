/**
 * In-memory store, the reference implementation of the store port. It rejects operations that some
 * platform cannot perform, such as a duplicate key or a head written as a row, so that tests catch
 * them.
 */

import { assert } from '../../lib/assert.ts'
import { byteLength } from '../../lib/bytes.ts'
import { TEXT_MARK } from '../../lib/cipher.ts'
import { compareKeys } from '../../lib/order.ts'
import { isTagged } from '../../lib/tags.ts'
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
  Store,
  Write,
} from '../../ports/world.ts'
import { FIND_ENTRIES, HEAD } from '../../ports/world.ts'

interface StoredRow {
  readonly version: number
  readonly body: string
  readonly alarm: Alarm | undefined
  readonly listed: Listing | undefined
}
type Partition = Map<string, StoredRow>
type TaggedRow = ListedRow & { readonly tags: string | undefined }

const MAX_BODY = 131_072
/** Maximum size of an encrypted body, in bytes: 128 KiB in base64, with nonce and tag. */
const MAX_ENCRYPTED = 174_848
const DUE_PAGE = 100
const LIST_PAGE = 100

export function memoryStore(): Store {
  const partitions = new Map<string, Partition>()
  /** Sorted lists since the last write. A reader of all pages of a list writes nothing meanwhile. */
  const lists = new Map<string, readonly TaggedRow[]>()
  const listOf = (under: string): readonly TaggedRow[] => {
    const list = lists.get(under) ?? listedIn(partitions, under)
    lists.set(under, list)
    return list
  }

  return {
    async read(partition, after = '') {
      const rows: Row[] = []
      for (const [key, { version, body }] of partitions.get(partition) ?? [])
        if (key > after) rows.push({ key, version, body })
      return rows.sort((left, right) => compareKeys(left.key, right.key))
    },
    async heads(names) {
      return names.map((name) => {
        const head = partitions.get(name)?.get(HEAD)
        return head ? { key: HEAD, version: head.version, body: head.body } : null
      })
    },
    async commit(partition, writes, head) {
      check(writes, head)
      const rows: Partition = partitions.get(partition) ?? new Map()
      if (conflicts(rows, writes, head)) return 'conflict'
      lists.clear()
      apply(rows, writes, head)
      if (rows.size > 0) partitions.set(partition, rows)
      else partitions.delete(partition)
      return 'ok'
    },
    async due(now, cursor) {
      return duePage(partitions, now, cursor)
    },
    async list(under, beforeKey, limit = LIST_PAGE) {
      return listPage(listOf(under), beforeKey, limit)
    },
    async find(under, search) {
      return findPage(listOf(under), search)
    },
    async drop(partition) {
      lists.clear()
      partitions.delete(partition)
    },
    async readIndexed(partition) {
      const rows = [...(partitions.get(partition) ?? [])].map(([key, row]) => ({ key, ...row }))
      return rows.sort((left, right) => compareKeys(left.key, right.key))
    },
    async writeIndexed(partition, rows) {
      lists.clear()
      const existing: Partition = partitions.get(partition) ?? new Map()
      for (const { key, version, body, alarm, listed: listing } of rows)
        existing.set(key, { version, body, alarm, listed: listing })
      partitions.set(partition, existing)
    },
    async partitions(prefix, limit, after = '') {
      const names = [...partitions.keys()].filter((name) => name.startsWith(prefix) && name > after)
      return names.sort(compareKeys).slice(0, limit)
    },
  }
}

function check(writes: readonly Write[], head: HeadWrite | undefined): void {
  const keys = new Set<string>()
  for (const write of writes) {
    assert(write.key !== HEAD, 'write the head with `head`, not as a row')
    assert(!keys.has(write.key), `one commit writes ${write.key} twice`)
    keys.add(write.key)
    if (write.op === 'put') assert(isStorable(write.body), `${write.key} is too large`)
  }
  assert(head === undefined || isStorable(head.body), 'the head is too large')
}

const isStorable = (body: string): boolean =>
  byteLength(body) <= (body.startsWith(TEXT_MARK) ? MAX_ENCRYPTED : MAX_BODY)

function conflicts(
  rows: Partition,
  writes: readonly Write[],
  head: HeadWrite | undefined,
): boolean {
  if (head && (rows.get(HEAD)?.version ?? null) !== head.expect) return true
  return writes.some(
    (write) => write.op === 'put' && write.expect === 'absent' && rows.has(write.key),
  )
}

/** Applies writes to a partition; a put replaces the row and clears an omitted alarm or listing. */
function apply(rows: Partition, writes: readonly Write[], head: HeadWrite | undefined): void {
  const put = (key: string, write: Pick<HeadWrite, 'body' | 'alarm' | 'listed'>): void => {
    const version = (rows.get(key)?.version ?? 0) + 1
    rows.set(key, { version, body: write.body, alarm: write.alarm, listed: write.listed })
  }
  for (const write of writes) {
    if (write.op === 'put') put(write.key, write)
    else rows.delete(write.key)
  }
  if (head) put(HEAD, head)
}

/**
 * Returns a page of due rows. The cursor is the sort key of the last entry, so that a row that
 * moves hides no other row.
 */
function duePage(partitions: Map<string, Partition>, now: number, cursor: string | undefined): Due {
  const dueRows: { sort: string; entry: DueEntry }[] = []
  for (const [partition, rows] of partitions) {
    for (const [key, { alarm }] of rows) {
      if (!alarm || alarm.at > now) continue
      const at = String(alarm.at).padStart(16, '0')
      const sort = [alarm.started ? 0 : 1, at, partition, key].join('\0')
      if (cursor === undefined || sort > cursor) dueRows.push({ sort, entry: { partition, alarm } })
    }
  }
  dueRows.sort((left, right) => (left.sort < right.sort ? -1 : 1))
  const page = dueRows.slice(0, DUE_PAGE)
  const entries = page.map(({ entry }) => entry)
  return dueRows.length > DUE_PAGE ? { entries, cursor: page.at(-1)!.sort } : { entries }
}

function listPage(
  list: readonly TaggedRow[],
  beforeKey: string | undefined,
  limit: number,
): ListedRow[] {
  const matches = list.filter(({ at }) => beforeKey === undefined || at < beforeKey)
  return matches.reverse().slice(0, limit).map(withoutTags)
}

function findPage(list: readonly TaggedRow[], search: RowSearch): FoundRows {
  const { above = '', below, order, limit } = search
  const within = list.filter(({ at }) => at > above && (below === undefined || at < below))
  const examined = (order === 'newest' ? within.reverse() : within).slice(0, FIND_ENTRIES)
  const rows = examined.filter(({ tags }) => isTagged(tags, search)).slice(0, limit)
  const last = rows.length === limit ? rows.at(-1) : undefined
  const end = last ?? (examined.length === FIND_ENTRIES ? examined.at(-1) : undefined)
  return { rows: rows.map(withoutTags), ...(end && { reached: end.at }) }
}

/** Returns all rows of a list, oldest first. */
function listedIn(partitions: Map<string, Partition>, under: string): TaggedRow[] {
  const matches: TaggedRow[] = []
  for (const [partition, rows] of partitions) {
    for (const [key, { body, listed: listing }] of rows) {
      if (listing?.under === under)
        matches.push({ partition, key, at: listing.at, body, tags: listing.tags })
    }
  }
  return matches.sort((left, right) => compareKeys(left.at, right.at))
}

const withoutTags = ({ tags: _, ...row }: TaggedRow): ListedRow => row
