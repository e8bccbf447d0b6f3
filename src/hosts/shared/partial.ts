/**
 * Answers that models are giving just now: the text so far of each one in this process, so that a
 * reader who joins in the middle sees the whole. Kept from its first piece to the commit that
 * follows the answer, and bounded; a text forgotten early is seen in the finished message.
 */

import { LRUCache } from 'lru-cache'
import type { Feed, FeedItem } from '../../ports/world.ts'

export type DeltaItem = Extract<FeedItem, { type: 'delta' }>

/** Characters of all answers together, and of one. */
const CHARACTERS = 16_000_000
const LONGEST = 2_000_000
/** The size of an entry besides its text, roughly, in characters. */
const ENTRY = 200

export interface Partial {
  readonly item: DeltaItem
  /** The call is over, its message not yet committed. */
  readonly over: boolean
}

/** Deltas of a call count only if they continue the text; another call starts again. */
export function extendPartial(previous: Partial | undefined, item: DeltaItem): Partial | undefined {
  if (item.delta.type !== 'text') return previous
  const same = previous !== undefined && isSameCall(previous.item, item)
  if (!same) return item.at === 0 ? { item, over: false } : undefined
  const { text } = previous.item.delta
  // Pieces may come twice.
  const fresh = item.delta.text.slice(text.length - item.at)
  if (item.at > text.length) return undefined
  if (item.at + item.delta.text.length <= text.length) return previous
  return { item: { ...previous.item, delta: { type: 'text', text: text + fresh } }, over: false }
}

export const isSameCall = (a: DeltaItem, b: DeltaItem): boolean =>
  a.epoch === b.epoch && a.step === b.step && a.began === b.began

/** The same feed; a subscriber of `live` first gets the text so far. */
export function withPartials(local: Feed): Feed {
  const partials = new LRUCache<string, Partial>({
    maxSize: CHARACTERS,
    maxEntrySize: LONGEST,
    sizeCalculation: ({ item }) => item.delta.text.length + ENTRY,
  })
  const learn = (partition: string, item: FeedItem): void => {
    if (item.type === 'ephemeral') return
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
      const unsubscribe = local.subscribe(partition, listener)
      const partial = live ? partials.get(partition) : undefined
      if (partial) listener(partial.item)
      return unsubscribe
    },
  }
}
