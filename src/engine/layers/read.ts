/**
 * Reads the parsed files of a layer listing: from memory, otherwise from the layer's index,
 * otherwise individually and concurrently.
 */

import { type Parsed, parseLayerFile } from '../../core/config/layer/compile.ts'
import type { LayerFile } from '../../core/config/layer/layer.ts'
import { fileKey } from '../../lib/key.ts'
import type { ObjectInfo, World } from '../../ports/world.ts'
import { cacheKey, cacheOf } from './cache.ts'
import { INDEX_FILES, indexSlot, isIndexed, readIndex, writeIndex } from './store-index.ts'
import { TimeSlice } from './time-slice.ts'

export interface LayerPrefix {
  readonly tenant: string
  readonly prefix: string
}
export interface LayerListing extends LayerPrefix {
  /** Fingerprint of the layer listing. */
  readonly print: string
  readonly indexes: readonly ObjectInfo[]
  /** Number of files already read while the listing continued. */
  readonly readEarly: number
}

export interface ReadFiles {
  readonly parsed: ReadonlyMap<string, Parsed>
  /** Whether any file differed from the listing. */
  readonly changed: boolean
}

export async function readFiles(
  world: World,
  where: LayerListing,
  files: readonly LayerFile[],
): Promise<ReadFiles> {
  const reading = new Reading(world, where)
  const unknown = files.filter((file) => !reading.remembers(file))
  const many = unknown.length + where.readEarly >= INDEX_FILES
  const inIndex = many && where.indexes.length > 0 ? unknown.filter(isIndexed) : []
  const [unindexed] = await Promise.all([
    reading.fromIndex(inIndex, where),
    reading.readEach(inIndex.length === 0 ? unknown : unknown.filter((file) => !isIndexed(file))),
  ])
  await reading.readEach(unindexed)
  // A cold process would repeat these reads, so an index is written in the background.
  const readNow = where.readEarly + (inIndex.length === 0 ? unknown.length : unindexed.length)
  if (many && readNow >= INDEX_FILES && !reading.changed) {
    void writeIndex(world, where, reading.indexed(files))
  }
  return reading
}

/** Reads files into the cache before the listing is complete; returns the number of files read. */
export async function readAhead(
  world: World,
  place: LayerPrefix,
  files: readonly LayerFile[],
): Promise<number> {
  const reading = new Reading(world, place)
  const unknown = files.filter((file) => !reading.remembers(file))
  await reading.readEach(unknown)
  return unknown.length
}

class Reading implements ReadFiles {
  readonly parsed = new Map<string, Parsed>()
  changed = false
  private readonly world: World
  private readonly place: LayerPrefix

  constructor(world: World, place: LayerPrefix) {
    this.world = world
    this.place = place
  }

  remembers(file: LayerFile): boolean {
    const cached = cacheOf(this.world.objects).parsed.get(this.slot(file))
    if (cached !== undefined) this.parsed.set(file.path, cached)
    return cached !== undefined
  }

  async readEach(files: readonly LayerFile[]): Promise<void> {
    const { tenant, prefix } = this.place
    const slice = new TimeSlice(this.world.clock)
    const read = async (file: LayerFile) => {
      const object = await this.world.objects.get(fileKey(tenant, prefix + file.path))
      const same = object !== null && object.etag === file.etag
      if (!same) this.changed = true
      if (object === null) return
      const result = await slice.run(() => parseLayerFile(file.path, object.body))
      this.parsed.set(file.path, result)
      if (same) this.remember(file, result)
    }
    await Promise.all(files.map(read))
  }

  /** Loads files from the index; returns the files that the index does not contain. */
  async fromIndex(
    files: readonly LayerFile[],
    { indexes, print }: LayerListing,
  ): Promise<readonly LayerFile[]> {
    if (files.length === 0) return []
    const index = await readIndex(this.world, indexes, print)
    return files.filter((file) => {
      const indexed = index.get(indexSlot(file.path, file.etag))
      if (indexed === undefined) return true
      this.parsed.set(file.path, indexed)
      this.remember(file, indexed)
      return false
    })
  }

  indexed(files: readonly LayerFile[]) {
    return files.filter(isIndexed).flatMap((file) => {
      const parsed = this.parsed.get(file.path)
      return parsed === undefined ? [] : [{ path: file.path, etag: file.etag, parsed }]
    })
  }

  private remember(file: LayerFile, parsed: Parsed): void {
    cacheOf(this.world.objects).parsed.set(this.slot(file), parsed, { size: file.size + 512 })
  }

  private slot(file: LayerFile): string {
    return cacheKey(this.place.tenant, this.place.prefix + file.path, file.etag)
  }
}
