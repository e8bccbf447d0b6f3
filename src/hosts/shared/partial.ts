/**
 * Caches the text so far of each answer in progress in this process, so that a late reader receives
 * the whole text. An entry is kept until the commit after the answer, within a size limit. The text
 * of an entry evicted early appears in the finished message.
 */

import { LRUCache } from 'lru-cache'
import type { Feed, FeedItem } from '../../ports/world.ts'

export type DeltaItem = Extract<FeedItem, { type: 'delta' }>

/** Maximum number of characters of all cached answers together, and of one answer. */
const CHARACTERS = 16_000_000
const LONGEST = 2_000_000
/** Approximate memory overhead of a cache entry, in characters. */
const ENTRY = 200

export interface Partial {
  readonly item: DeltaItem
  /** True once the model call has ended and until its message is committed. */
  readonly over: boolean
}

/**
 * Appends a delta of the same model call to the text; a delta of another call starts a new text.
 */
export function extendPartial(previous: Partial | undefined, item: DeltaItem): Partial | undefined {
  if (item.delta.type !== 'text') return previous
  const same = previous !== undefined && isSameCall(previous.item, item)
  if (!same) return item.at === 0 ? { item, over: false } : undefined
  const { text } = previous.item.delta
  // Skips text that was already received, because deltas may arrive twice.
  const fresh = item.delta.text.slice(text.length - item.at)
  if (item.at > text.length) return undefined
  if (item.at + item.delta.text.length <= text.length) return previous
  return { item: { ...previous.item, delta: { type: 'text', text: text + fresh } }, over: false }
}

export const isSameCall = (a: DeltaItem, b: DeltaItem): boolean =>
  a.epoch === b.epoch && a.step === b.step && a.began === b.began

/** Wraps a feed so that a new subscriber of `live` first receives the text so far. */
export function withPartials(local: Feed): Feed {
  const partials = new LRUCache<string, Partial>({
    maxSize: CHARACTERS,
    maxEntrySize: LONGEST,
    sizeCalculation: ({ item }) => item.delta.text.length + ENTRY,
  })
  const learn = (partition: string, item: FeedItem): void => {
    if (item.type === 'ephemeral' || item.type === 'read') return
    const previous = partials.get(partition)
    if (item.type === 'delta') {
      const after = extendPartial(previous, item)
      if (after === undefined) partials.delete(partition)
      else if (after !== previous) partials.set(partition, after)
    } else if (previous && item.type === 'answered') {
      partials.set(partition, { ...previous, over: true })
    } else if (previous?.over) partials.delete(partition)
  }
  return {
    publish(partition, item) {
      learn(partition, item)
      local.publish(partition, item)
    },
    subscribe(partition, listener, live = false) {
      const readText = (item: FeedItem): void => {
        if (item.type !== 'read') listener(item)
      }
      const unsubscribe = local.subscribe(partition, live ? readText : listener)
      const partial = live ? partials.get(partition) : undefined
      if (partial) listener(partial.item)
      return unsubscribe
    },
  }
}
