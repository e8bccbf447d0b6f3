/**
 * The feed for several processes. A reader of a live run stores a marker, and the process that
 * advances the run then stores the model's text a few times a second, in rows that soon expire.
 * Without a reader, nothing is written; a publisher checks for a reader every few seconds. The
 * first rows for a reader, and one row each minute, contain the complete answer so far, because
 * earlier rows expire. All writes are best effort and not awaited; the finished message fills gaps.
 *
 *   <tenant>/live/<id>    d/<time>/<count>/<process> items · watched, until when
 */

import { LRUCache } from 'lru-cache'
import { livePartition } from '../../engine/partition/keys.ts'
import { base64url } from '../../lib/bytes.ts'
import type { Clock, Feed, FeedItem, Store } from '../../ports/world.ts'
import { type DeltaItem, extendPartial, isSameCall, type Partial } from './partial.ts'

export interface LiveParts {
  readonly store: Pick<Store, 'read' | 'commit'>
  readonly clock: Clock
  /** Feed of this process, whose subscribers are notified at once. */
  readonly local: Feed
  readonly onError: (error: unknown) => void
}

/** Interval whose feed items are combined into one row, in milliseconds. */
const COALESCE_MS = 400
/**
 * Initial polling interval of a feed reader, in milliseconds; the reader backs off while no item
 * arrives.
 */
const POLL_MS = 400
const POLL_MAX_MS = 2_000
/**
 * Lifetime of a reader's mark, its renewal interval, and the time that a publisher trusts a read of
 * the marks, in milliseconds.
 */
const MARK_MS = 40_000
const RENEW_MS = 15_000
const KNOWN_MS = 5_000
/**
 * Lifetime of feed rows, in milliseconds; a row with the full text is written again before the last
 * such row expires.
 */
const ROWS_MS = 120_000
const WHOLE_MS = 60_000
/** Maximum number of characters in one feed row; even a fully escaped row fits in every store. */
const PIECE = 16_000
const PARTITIONS = 1_000
const MARK = 'watched'
const ITEMS = 'd/'
const TIME_DIGITS = 16
const COUNT_DIGITS = 9

interface Row {
  readonly by: string
  readonly items: readonly FeedItem[]
}

export function liveFeed(parts: LiveParts): Feed {
  const { clock, local, onError } = parts
  const by = base64url(clock.random(9))
  const publisher = publishing(parts, by)
  /** Feed readers in this process, by partition. */
  const watching = new Map<string, { readers: number; readonly stop: AbortController }>()
  return {
    publish(partition, item) {
      local.publish(partition, item)
      if (item.type === 'delta' && watching.has(partition))
        local.publish(partition, { type: 'read' })
      // Log followers in other processes reread the log, so this item is not written.
      if (item.type !== 'changed' && item.type !== 'read') publisher(partition, item)
    },
    subscribe(partition, listener, live = false) {
      const unsubscribe = local.subscribe(partition, listener, live)
      if (!live) return unsubscribe
      const watch = watching.get(partition) ?? { readers: 0, stop: new AbortController() }
      if (watch.readers === 0) {
        watching.set(partition, watch)
        follow(parts, partition, by, watch.stop.signal).catch(onError)
      }
      watch.readers += 1
      let hasLeft = false
      return () => {
        unsubscribe()
        if (hasLeft) return
        hasLeft = true
        watch.readers -= 1
        if (watch.readers > 0) return
        watching.delete(partition)
        watch.stop.abort('no readers')
      }
    },
  }
}

// ── Reading ────────────────────────────────────────────────────────────────────────────────────

const timeKey = (now: number): string => ITEMS + String(now).padStart(TIME_DIGITS, '0')

/** Marks the partition as read, and publishes items of other processes locally until stopped. */
async function follow(
  { store, clock, local, onError }: LiveParts,
  partition: string,
  by: string,
  signal: AbortSignal,
): Promise<void> {
  const live = livePartition(partition)
  const began = timeKey(clock.now())
  let after = timeKey(clock.now() - ROWS_MS)
  let marked = Number.NEGATIVE_INFINITY
  let pause = POLL_MS
  while (!signal.aborted) {
    try {
      if (clock.monotonic() >= marked + RENEW_MS) {
        await mark(store, live, clock.now() + MARK_MS)
        marked = clock.monotonic()
      }
      const rows = (await store.read(live, after)).filter(({ key }) => key.startsWith(ITEMS))
      after = rows.at(-1)?.key ?? after
      pause = rows.length > 0 ? POLL_MS : Math.min(POLL_MAX_MS, pause * 1.5)
      for (const { key, body } of rows) {
        const row = JSON.parse(body) as Row
        // Items written by this process were already delivered locally.
        if (row.by === by || signal.aborted) continue
        for (const item of row.items) {
          // Deltas from before the start complete the current text; other items from before the
          // start are outdated.
          if (item.type === 'delta' || key >= began) local.publish(partition, item)
        }
      }
    } catch (error) {
      onError(error)
      pause = POLL_MAX_MS
    }
    await clock.sleep(pause, signal)
  }
}

const mark = (store: LiveParts['store'], live: string, until: number) =>
  store.commit(live, [
    { op: 'put', key: MARK, body: String(until), expect: 'any', expiresAt: until },
  ])

// ── Writing ────────────────────────────────────────────────────────────────────────────────────

interface Topic {
  waiting: FeedItem[]
  flushing: boolean
  /** Current answer, and the monotonic time until which stored rows contain all of its text. */
  partial: Partial | undefined
  whole: number
  watched: boolean
  /** Monotonic time until which the cached knowledge about readers is valid. */
  known: number
}

function publishing({ store, clock, local, onError }: LiveParts, by: string) {
  const topics = new LRUCache<string, Topic>({ max: PARTITIONS })
  let count = 0
  let last = 0

  const isWatched = async (live: string, topic: Topic): Promise<boolean> => {
    if (clock.monotonic() < topic.known) return topic.watched
    const rows = await store.read(live, MARK.slice(0, -1))
    const row = rows.find(({ key }) => key === MARK)
    topic.watched = row !== undefined && Number(row.body) > clock.now()
    topic.known = clock.monotonic() + KNOWN_MS
    return topic.watched
  }
  const write = async (live: string, items: readonly FeedItem[]): Promise<void> => {
    // The wall clock may step back, but row times of one process must not.
    last = Math.max(last, clock.now())
    count += 1
    const key = `${timeKey(last)}/${String(count).padStart(COUNT_DIGITS, '0')}/${by}`
    const body = JSON.stringify({ by, items } satisfies Row)
    const expiresAt = last + ROWS_MS
    await store.commit(live, [{ op: 'put', key, body, expect: 'absent', expiresAt }])
  }
  const flush = async (partition: string, live: string, topic: Topic): Promise<void> => {
    while (topic.waiting.length > 0) {
      await clock.sleep(COALESCE_MS)
      const items = joined(topic.waiting)
      topic.waiting = []
      const hasReader = await isWatched(live, topic)
      if (hasReader) local.publish(partition, { type: 'read' })
      if (!hasReader) topic.whole = Number.NEGATIVE_INFINITY
      else if (topic.partial === undefined || clock.monotonic() < topic.whole) {
        await write(live, items)
      } else {
        topic.whole = clock.monotonic() + WHOLE_MS
        for (const piece of pieces(topic.partial.item)) await write(live, [piece])
        // A retried write is safe, because readers deliver duplicate deltas once.
        await write(live, items)
      }
    }
  }
  return (partition: string, item: FeedItem): void => {
    const live = livePartition(partition)
    const topic = topics.get(live) ?? newTopic()
    topics.set(live, topic)
    topic.waiting.push(item)
    if (item.type === 'delta') topic.partial = extendPartial(topic.partial, item)
    if (item.type === 'answered') topic.partial = undefined
    if (topic.flushing) return
    topic.flushing = true
    flush(partition, live, topic)
      .catch((error: unknown) => {
        topic.waiting = []
        onError(error)
      })
      .finally(() => {
        topic.flushing = false
      })
  }
}

const newTopic = (): Topic => ({
  waiting: [],
  flushing: false,
  partial: undefined,
  whole: Number.NEGATIVE_INFINITY,
  watched: false,
  known: Number.NEGATIVE_INFINITY,
})

function pieces(item: DeltaItem): DeltaItem[] {
  const { text } = item.delta
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, index) => {
    const from = index * PIECE
    return { ...item, at: from, delta: { type: 'text', text: text.slice(from, from + PIECE) } }
  })
}

/** Joins consecutive deltas of the same text. */
function joined(items: readonly FeedItem[]): FeedItem[] {
  const out: FeedItem[] = []
  for (const item of items) {
    const previous = out.at(-1)
    const same =
      previous?.type === 'delta' &&
      item.type === 'delta' &&
      isSameCall(previous, item) &&
      previous.delta.type === item.delta.type
    if (!same) out.push(item)
    else {
      const text = previous.delta.text + item.delta.text
      out[out.length - 1] = { ...previous, delta: { ...previous.delta, text } }
    }
  }
  return out
}
