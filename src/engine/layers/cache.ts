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
  readonly parsed: LRUCache<string, Parsed>
  /** Compiled layers by tenant, kind, and prefix. */
  readonly layers: LRUCache<string, KnownLayer>
  readonly resolved: LRUCache<string, Resolved>
  /** Listings of instruction files at a layer's root, by tenant and prefix. */
  readonly instructions: LRUCache<string, KnownInstructions>
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

export const cacheOf = processMemory<LayerCache>('layers', () => ({
  parsed: new LRUCache({ maxSize: PARSED_BYTES }),
  layers: new LRUCache({ maxSize: LAYER_BYTES, sizeCalculation: layerSize }),
  resolved: new LRUCache({ maxSize: LAYER_BYTES, sizeCalculation: resolvedSize }),
  instructions: new LRUCache({ max: INSTRUCTIONS_LAYERS }),
}))

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
