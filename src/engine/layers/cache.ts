/**
 * Cache of layers in a process: parsed files by ETag, compiled layers by listing, and results by
 * all their dependencies. Losing an entry costs only time. A cache belongs to one bucket, because
 * an ETag is meaningful only there.
 */

import { LRUCache } from 'lru-cache'
import type { CompiledLayer, Parsed } from '../../core/config/layer/compile.ts'
import type { Resolved } from '../../core/config/types.ts'
import type { ObjectInfo, Objects } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

/** Compiled layer with the listing from which it was compiled. */
export interface KnownLayer {
  readonly files: readonly ObjectInfo[]
  readonly fingerprint: string
  readonly compiled: CompiledLayer
}

export interface LayerCache {
  /** Parsed files by key and ETag, limited by total bytes. */
  readonly parsed: ParsedFiles
  /** Compiled layers by tenant, kind, and prefix. */
  readonly layers: LRUCache<string, KnownLayer>
  readonly resolved: LRUCache<string, Resolved>
  /** Listings of instruction files at a layer's root, by tenant and prefix. */
  readonly instructions: LRUCache<string, KnownInstructions>
}

type ParsedFiles = Pick<LRUCache<string, Parsed>, 'get' | 'delete' | 'keys'> & {
  set(slot: string, parsed: Parsed, options: { readonly size: number }): unknown
}

interface KnownInstructions {
  /** Time at which the instruction files were listed. */
  readonly at: number
  readonly files: readonly ObjectInfo[]
}

/** Maximum total bytes of cached files. The caches share strings, so sizes do not add up. */
const PARSED_BYTES = 32 * 1_048_576
const LAYER_BYTES = 32 * 1_048_576
const INSTRUCTIONS_LAYERS = 1_000
/** Cache weight of an entry without its files, in bytes. */
const ENTRY_BYTES = 1_024

const emptyCache = (): LayerCache => ({
  parsed: new LRUCache<string, Parsed>({ maxSize: PARSED_BYTES }),
  layers: new LRUCache({ maxSize: LAYER_BYTES, sizeCalculation: layerSize }),
  resolved: new LRUCache({ maxSize: LAYER_BYTES, sizeCalculation: resolvedSize }),
  instructions: new LRUCache({ max: INSTRUCTIONS_LAYERS }),
})
const bucketCache = processMemory<LayerCache>('layers', emptyCache)
/** Caches of overlays, each for one request. */
const overlayCaches = new WeakMap<Objects, LayerCache>()

export const cacheOf = (objects: Objects): LayerCache =>
  overlayCaches.get(objects) ?? bucketCache(objects)

/**
 * Gives an overlay its own cache, which shares only the parsed files that the overlay does not
 * edit. The bucket's cache therefore never contains an edit.
 */
export function lendParsed(
  overlay: Objects,
  bucket: Objects,
  isEdit: (etag: string) => boolean,
): void {
  const editCache = emptyCache()
  const { parsed } = bucketCache(bucket)
  const homeOf = (slot: string) =>
    isEdit(slot.slice(slot.lastIndexOf('\n') + 1)) ? editCache.parsed : parsed
  overlayCaches.set(overlay, {
    ...editCache,
    parsed: {
      get: (slot) => homeOf(slot).get(slot),
      set: (slot, file, options) => homeOf(slot).set(slot, file, options),
      delete: (slot) => homeOf(slot).delete(slot),
      keys: () => editCache.parsed.keys(),
    },
  })
}

/** Drops cached instruction listings after a write, so that this process sees the change. */
export const forgetInstructions = (objects: Objects): void => cacheOf(objects).instructions.clear()

const layerSize = ({ files }: KnownLayer): number =>
  files.reduce((sum, file) => sum + (file.key.endsWith('.md') ? file.size : 0), 0) +
  ENTRY_BYTES * (1 + files.length)

const resolvedSize = ({ agents, skills, records }: Resolved): number =>
  agents.reduce((sum, agent) => sum + agent.system_prompt.length, 0) +
  skills.reduce((sum, skill) => sum + skill.body.length, 0) +
  ENTRY_BYTES * (1 + agents.length + skills.length + records.length)

/** Drops one tenant's cached layers, so that the next resolve reads all files. */
export function dropCaches(objects: Objects, tenant: string): void {
  const cache = cacheOf(objects)
  for (const map of [cache.parsed, cache.layers, cache.resolved, cache.instructions]) {
    for (const key of [...map.keys()]) if (key.startsWith(`${tenant}\n`)) map.delete(key)
  }
}

export const cacheKey = (tenant: string, ...parts: readonly string[]): string =>
  [tenant, ...parts].join('\n')
