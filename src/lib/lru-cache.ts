/**
 * A cache of so many entries; the least recently used goes first. It takes memory as it fills:
 * `max` alone would have the library set aside room for all of them at once, a cost that a process
 * that lives for one event would bear each time.
 */

import { LRUCache } from 'lru-cache'

export const boundedCache = <V extends object | string | number | true>(
  entries: number,
): LRUCache<string, V> => new LRUCache({ maxSize: entries, sizeCalculation: () => 1 })
