/**
 * Creates a cache with a maximum number of entries and LRU eviction. Memory grows with use. With
 * only `max`, the library would reserve space for all entries at once, a cost for each short-lived
 * process.
 */

import { LRUCache } from 'lru-cache'

export const boundedCache = <V extends object | string | number | true>(
  entries: number,
): LRUCache<string, V> => new LRUCache({ maxSize: entries, sizeCalculation: () => 1 })
