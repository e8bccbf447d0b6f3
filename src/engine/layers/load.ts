/**
 * Loads one layer from the bucket: lists the layer, reads files that changed since this process
 * last read them, and compiles. Files are read concurrently, so a cold load needs two round trips.
 */

import { compileLayer } from '../../core/config/layer/compile.ts'
import { filesToRead, type LayerFile, planLayer } from '../../core/config/layer/layer.ts'
import { ROLE_SKILLS, type RoleSkills } from '../../core/config/layer/layout.ts'
import type { LayerKind } from '../../core/config/types.ts'
import { sha256 } from '../../lib/digest.ts'
import type { ObjectInfo, World } from '../../ports/world.ts'
import { cacheKey, cacheOf, type KnownLayer } from './cache.ts'
import { type LayerPlace, listInstructions, listLayer } from './list.ts'
import { readAhead, readFiles } from './read.ts'
import { INDEX_FILES, listIndexes } from './store-index.ts'
import type { Listings } from './stored-listings.ts'

/** Maximum number of listing attempts; the last one is used even if the layer keeps changing. */
const TRIES = 3

export interface LayerQuestion {
  readonly tenant: string
  readonly kind: LayerKind
  /** Key prefix of the layer, with a trailing slash. */
  readonly prefix: string
  /** Whether to stop after the listing if the role layer is invalid. */
  readonly onlyIfValid?: boolean
  /** Role whose older skills are read from the base layer, and their folder. */
  readonly roles?: RoleSkills
  /** Stored listings of recent resolves; if absent, the layer is listed. */
  readonly listings?: Listings | undefined
}

/** Loads a layer. Returns undefined if `onlyIfValid` is set and the layer is invalid. */
export async function loadLayer(
  world: World,
  question: LayerQuestion,
): Promise<KnownLayer | undefined> {
  const { tenant, kind, prefix, roles = ROLE_SKILLS } = question
  const { layers } = cacheOf(world.objects)
  const roleKey = kind === 'base' ? `${roles.dir} ${roles.role ?? ''}` : ''
  const slot = cacheKey(tenant, kind, prefix, roleKey)
  for (let attempt = 1; ; attempt += 1) {
    const cached = layers.get(slot)
    const place = { tenant, prefix, roleSkills: kind === 'base' ? roles.dir : null }
    // A second attempt means that the stored listing was older than its files.
    const keptFiles = attempt === 1 ? await question.listings?.find(place) : undefined
    const { files, indexes, early } = keptFiles
      ? await fromKept(world, question, cached, keptFiles)
      : await listAnew(world, question, cached, place)
    if (cached !== undefined && sameListing(cached.files, files)) {
      return question.onlyIfValid === true && !cached.compiled.valid ? undefined : cached
    }
    const plan = planLayer(kind, prefix, files.map(layerFile), roles)
    if (question.onlyIfValid === true && !plan.valid) return undefined
    const print = fingerprint(prefix, files)
    const where = { tenant, prefix, print, indexes, readEarly: (await early?.count()) ?? 0 }
    const read = await readFiles(world, where, filesToRead(plan))
    // A file that changed between listing and reading makes the layer inconsistent.
    if (read.changed && attempt < TRIES) continue
    const compiled = compileLayer(plan, (file) => read.parsed.get(file.path))
    const loaded = { files, fingerprint: `${print} ${roleKey}`, compiled }
    if (!read.changed) layers.set(slot, loaded)
    return loaded
  }
}

interface LayerListing {
  readonly files: readonly ObjectInfo[]
  readonly indexes: readonly ObjectInfo[]
  readonly early?: EarlyReads
}

async function listAnew(
  world: World,
  question: LayerQuestion,
  cached: KnownLayer | undefined,
  place: LayerPlace,
): Promise<LayerListing> {
  const { tenant, prefix, listings } = question
  const at = world.clock.now()
  // Only a process without a cached layer lists the layer's indexes. The parallel request adds no
  // latency.
  const pendingIndexes =
    cached === undefined ? listIndexes(world, tenant, prefix) : Promise.resolve([])
  const early = new EarlyReads(world, question, cached === undefined ? pendingIndexes : undefined)
  const [{ files: layer }, instructions, indexes] = await Promise.all([
    listLayer(world.objects, place, (page) => early.page(page)),
    listInstructions(world, place),
    pendingIndexes,
  ])
  const files = [...layer, ...instructions]
  listings?.keep(place, files, at)
  return { files, indexes, early }
}

/** Returns a stored listing, and the layer's indexes only if they save many reads. */
async function fromKept(
  world: World,
  { tenant, prefix }: LayerQuestion,
  cached: KnownLayer | undefined,
  files: readonly ObjectInfo[],
): Promise<LayerListing> {
  const many = cached === undefined && files.length >= INDEX_FILES
  return { files, indexes: many ? await listIndexes(world, tenant, prefix) : [] }
}

/**
 * Reads files while the listing continues, so that parsing adds no latency. Files enter the cache
 * by ETag, and the complete listing decides which ones count. Used only for a layer that is
 * certainly needed and has no index.
 */
class EarlyReads {
  readonly #world: World
  readonly #question: LayerQuestion
  readonly #indexes: Promise<readonly ObjectInfo[]> | undefined
  readonly #reads: Promise<number>[] = []

  constructor(
    world: World,
    question: LayerQuestion,
    indexes: Promise<readonly ObjectInfo[]> | undefined,
  ) {
    this.#world = world
    this.#question = question
    this.#indexes = question.onlyIfValid === true ? undefined : indexes
  }

  page(files: readonly ObjectInfo[]): void {
    if (this.#indexes !== undefined) this.#reads.push(this.#read(files, this.#indexes))
  }

  /** Returns the number of files read early, after all reads complete. */
  async count(): Promise<number> {
    return (await Promise.all(this.#reads)).reduce((sum, count) => sum + count, 0)
  }

  async #read(
    files: readonly ObjectInfo[],
    pendingIndexes: Promise<readonly ObjectInfo[]>,
  ): Promise<number> {
    const indexes = await pendingIndexes
    if (indexes.length > 0) return 0
    const { tenant, kind, prefix } = this.#question
    const plan = planLayer(kind, prefix, files.map(layerFile), this.#question.roles)
    const neededFiles = filesToRead(plan)
    try {
      return await readAhead(this.#world, { tenant, prefix }, neededFiles)
    } catch {
      // The missing files are read after the listing is complete.
      return 0
    }
  }
}

const layerFile = (info: ObjectInfo): LayerFile => ({
  path: info.key,
  etag: info.etag,
  size: info.size,
})

function sameListing(left: readonly ObjectInfo[], right: readonly ObjectInfo[]): boolean {
  if (left.length !== right.length) return false
  return left.every((file, index) => {
    const other = right[index]
    return file.key === other?.key && file.etag === other.etag && file.size === other.size
  })
}

const fingerprint = (prefix: string, files: readonly ObjectInfo[]): string =>
  sha256(JSON.stringify([prefix, ...files.map((file) => [file.key, file.etag, file.size])]))
