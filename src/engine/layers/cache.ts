/**
 * What one process remembers of layers: parsed files by etag, compiled layers by listing, results
 * by everything they depend on. Losing any of it costs time only. One cache belongs to one bucket,
 * because an etag means something only there.
 */

import { LRUCache } from 'lru-cache'
import type { CompiledLayer, Parsed } from '../../core/config/compile.ts'
import type { Resolved } from '../../core/config/types.ts'
import type { ObjectInfo, Objects } from '../../ports/world.ts'

/** A compiled layer and the listing that it was compiled from. */
export interface KnownLayer {
  readonly files: readonly ObjectInfo[]
  readonly fingerprint: string
  readonly compiled: CompiledLayer
}

export interface LayerCache {
  /** By key and etag; weighed in bytes of the file. */
  readonly parsed: LRUCache<string, Parsed>
  /** By tenant, kind and prefix. */
  readonly layers: LRUCache<string, KnownLayer>
  readonly resolved: LRUCache<string, Resolved>
}

const PARSED_BYTES = 48 * 1_048_576
const caches = new WeakMap<Objects, LayerCache>()

export function cacheOf(objects: Objects): LayerCache {
  const known = caches.get(objects)
  if (known !== undefined) return known
  const cache: LayerCache = {
    parsed: new LRUCache({ maxSize: PARSED_BYTES }),
    layers: new LRUCache({ max: 256 }),
    resolved: new LRUCache({ max: 256 }),
  }
  caches.set(objects, cache)
  return cache
}

/** Forgets what is known of one tenant, so that the next resolve reads everything again. */
export function dropCaches(objects: Objects, tenant: string): void {
  const cache = caches.get(objects)
  if (cache === undefined) return
  for (const map of [cache.parsed, cache.layers, cache.resolved]) {
    for (const key of [...map.keys()]) if (key.startsWith(`${tenant}\n`)) map.delete(key)
  }
}

export const cacheKey = (tenant: string, ...parts: readonly string[]): string =>
  [tenant, ...parts].join('\n')
