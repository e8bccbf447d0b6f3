/**
 * Creates a cache with a maximum number of entries and LRU eviction. Memory grows with use: `max`
 * alone would make the library reserve space for all entries at once, a cost that each short-lived
 * process would pay.
 */

import { LRUCache } from 'lru-cache'

export const boundedCache = <V extends object | string | number | true>(
  entries: number,
): LRUCache<string, V> => new LRUCache({ maxSize: entries, sizeCalculation: () => 1 })
