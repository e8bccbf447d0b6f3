/**
 * The store in memory: the reference of the port, written to be read beside its doc comment. It
 * also refuses operations that some host cannot do (a key written twice in one commit, a head
 * written as a row), so that a test on it finds such a bug first.
 */

import { assert } from '../../lib/assert.ts'
import { byteLength } from '../../lib/bytes.ts'
import { compareKeys } from '../../lib/order.ts'
import { isTagged } from '../../lib/tags.ts'
import type {
  Alarm,
  Due,
  DueEntry,
  Found,
  HeadWrite,
  Listed,
  Listing,
  Row,
  Store,
  Wanted,
  Write,
} from '../../ports/world.ts'
import { FIND_ENTRIES, HEAD } from '../../ports/world.ts'

interface Held {
  readonly version: number
  readonly body: string
  readonly alarm: Alarm | undefined
  readonly listed: Listing | undefined
}
type Partition = Map<string, Held>

const MAX_BODY = 131_072
/** One that lies encrypted is a third longer. */
export const MAX_SEALED_BODY = 180_224
const DUE_PAGE = 100
const LIST_PAGE = 100

export function memoryStore(maxBody = MAX_BODY): Store {
  const partitions = new Map<string, Partition>()

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
      check(writes, head, maxBody)
      const rows: Partition = partitions.get(partition) ?? new Map()
      if (conflicts(rows, writes, head)) return 'conflict'
      apply(rows, writes, head)
      if (rows.size > 0) partitions.set(partition, rows)
      else partitions.delete(partition)
      return 'ok'
    },
    async due(now, cursor) {
      return duePage(partitions, now, cursor)
    },
    async list(under, before, limit = LIST_PAGE) {
      return listPage(partitions, under, before, limit)
    },
    async find(under, wanted) {
      return findPage(partitions, under, wanted)
    },
    async drop(partition) {
      partitions.delete(partition)
    },
    async partitions(prefix, limit) {
      return [...partitions.keys()].filter((name) => name.startsWith(prefix)).slice(0, limit)
    },
  }
}

function check(writes: readonly Write[], head: HeadWrite | undefined, maxBody: number): void {
  const keys = new Set<string>()
  for (const write of writes) {
    assert(write.key !== HEAD, 'the head is written by `head`, never as a row')
    assert(!keys.has(write.key), `one commit writes ${write.key} twice`)
    keys.add(write.key)
    if (write.op === 'put') assert(byteLength(write.body) <= maxBody, `${write.key} is too large`)
  }
  assert(head === undefined || byteLength(head.body) <= maxBody, 'the head is too large')
}

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

/** A put states the whole row: an alarm or a listing that it does not name is gone. */
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

/** The cursor is the sort key of the last entry, so rows moved between pages hide no other. */
function duePage(partitions: Map<string, Partition>, now: number, cursor: string | undefined): Due {
  const found: { sort: string; entry: DueEntry }[] = []
  for (const [partition, rows] of partitions) {
    for (const [key, { alarm }] of rows) {
      if (!alarm || alarm.at > now) continue
      const at = String(alarm.at).padStart(16, '0')
      const sort = [alarm.started ? 0 : 1, at, partition, key].join('\0')
      if (cursor === undefined || sort > cursor) found.push({ sort, entry: { partition, alarm } })
    }
  }
  found.sort((left, right) => (left.sort < right.sort ? -1 : 1))
  const page = found.slice(0, DUE_PAGE)
  const entries = page.map(({ entry }) => entry)
  return found.length > DUE_PAGE ? { entries, cursor: page.at(-1)!.sort } : { entries }
}

function listPage(
  partitions: Map<string, Partition>,
  under: string,
  before: string | undefined,
  limit: number,
): Listed[] {
  const found = listedIn(partitions, under).filter(({ at }) => before === undefined || at < before)
  return found.reverse().slice(0, limit).map(shown)
}

function findPage(partitions: Map<string, Partition>, under: string, wanted: Wanted): Found {
  const { above = '', below, order, limit } = wanted
  const within = listedIn(partitions, under).filter(
    ({ at }) => at > above && (below === undefined || at < below),
  )
  const looked = (order === 'newest' ? within.reverse() : within).slice(0, FIND_ENTRIES)
  const rows = looked.filter(({ tags }) => isTagged(tags, wanted)).slice(0, limit)
  const last = rows.length === limit ? rows.at(-1) : undefined
  const reached = last ?? (looked.length === FIND_ENTRIES ? looked.at(-1) : undefined)
  return { rows: rows.map(shown), ...(reached && { reached: reached.at }) }
}

/** All rows of a list, oldest first. */
function listedIn(partitions: Map<string, Partition>, under: string) {
  const found: (Listed & { tags: string | undefined })[] = []
  for (const [partition, rows] of partitions) {
    for (const [key, { body, listed }] of rows) {
      if (listed?.under === under)
        found.push({ partition, key, at: listed.at, body, tags: listed.tags })
    }
  }
  return found.sort((left, right) => compareKeys(left.at, right.at))
}

const shown = ({ tags: _, ...row }: Listed & { tags: string | undefined }): Listed => row
