/**
 * Feed on Cloudflare. Within an object, the feed is in memory. Elsewhere, a reader calls the
 * object, and the open call streams items as lines, so each change and delta arrives immediately. A
 * broken call is not repeated, because readers also poll.
 */

import { encode } from '../../../lib/bytes.ts'
import type { Feed, FeedItem } from '../../../ports/world.ts'
import { holderOf } from '../bindings/address.ts'
import type { Namespace, PartitionCalls } from '../bindings/bindings.ts'
import { setTimer } from '../bindings/timer.ts'

/** Retry interval for a partition whose object does not respond, in milliseconds. */
const POLL_MS = 1_000

/** Returns a read-only feed for code that runs no passes and so publishes nothing. */
export const followingFeed = (
  objects: Namespace<Pick<PartitionCalls, 'follow' | 'changed'>>,
  onError: (error: unknown) => void,
): Feed => ({
  publish: () => {},
  async changed(partition, version, ms) {
    const object = holderOf(partition)
    try {
      if (object === undefined) throw new Error(`no object found for partition ${partition}`)
      await objects.getByName(object).changed(partition, version, ms)
    } catch (error) {
      onError(error)
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, POLL_MS)))
    }
  },
  subscribe(partition, listener, live = false) {
    const object = holderOf(partition)
    if (object === undefined) return () => {}
    const stop = new AbortController()
    const follow = async (): Promise<void> => {
      const stream = await objects.getByName(object).follow(partition, live)
      const lines = stream.pipeThrough(new TextDecoderStream()).getReader()
      stop.signal.addEventListener('abort', () => void lines.cancel().catch(() => {}))
      if (stop.signal.aborted) {
        await lines.cancel()
        return
      }
      let partial = ''
      for (;;) {
        const { done, value } = await lines.read()
        if (done || stop.signal.aborted) return
        const pieces = `${partial}${value}`.split('\n')
        partial = pieces.pop() ?? ''
        for (const line of pieces) listener(JSON.parse(line) as FeedItem)
      }
    }
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) onError(error)
    })
    return () => stop.abort('over')
  },
})

/** Maximum backlog for a slow reader, in bytes; above it, the reader reads the log instead. */
const WAITING_BYTES = 1_048_576

/** Streams a partition's feed items; the first item signals that earlier changes are possible. */
export function followed(feed: Feed, partition: string, live: boolean): ReadableStream<Uint8Array> {
  let unsubscribe = (): void => {}
  return new ReadableStream(
    {
      type: 'bytes',
      start(controller) {
        let isRead = false
        const tell = (item: FeedItem): void => {
          if (item.type === 'read') return
          if (item.type === 'delta' && live && !isRead) {
            isRead = true
            feed.publish(partition, { type: 'read' })
          }
          if ((controller.desiredSize ?? 0) > 0) {
            controller.enqueue(encode(`${JSON.stringify(item)}\n`) as Uint8Array<ArrayBuffer>)
            return
          }
          unsubscribe()
          controller.close()
        }
        // Changes committed before this call arrived may be new to the caller.
        tell({ type: 'changed' })
        unsubscribe = feed.subscribe(partition, tell, live)
      },
      cancel: () => unsubscribe(),
    },
    { highWaterMark: WAITING_BYTES },
  )
}

/**
 * Maximum duration of one waiting call in milliseconds, after which the waiter calls again; calls
 * are billed by duration.
 */
const CHANGED_MS = 25_000

/** Resolves when a partition change satisfies the condition, or after `ms` milliseconds. */
export async function untilChanged(
  feed: Feed,
  partition: string,
  ms: number,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const timer = setTimer(Math.min(ms, CHANGED_MS))
  let ring = (): void => {}
  const unsubscribe = feed.subscribe(partition, (item) => {
    if (item.type === 'changed') ring()
  })
  try {
    for (let isOver = false; !isOver; ) {
      const signaled = new Promise<void>((resolve) => {
        ring = resolve
      })
      if (await isSo()) return
      isOver = await Promise.race([signaled.then(() => false), timer.over.then(() => true)])
    }
  } finally {
    unsubscribe()
    timer.clear()
  }
}
