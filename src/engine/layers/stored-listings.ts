/**
 * Listings of layers, kept in the store where several processes share it: a listing of a bucket is
 * the dearest and slowest request of a run, and it nearly always says what it said before. Every
 * write by the API sets a new stamp before it is answered (`files.ts`), and a listing counts only
 * under the stamp that was there before it was made: what was written by the API is seen at once.
 * What comes into the bucket by other means sets no stamp, so a listing counts for 30 s at most.
 *
 *     <tenant>/layers/stamp    stamp: changed with every file that a layer may show
 *     <tenant>/layers/<hash>   files: {stamp, at, files: [[key, etag, size], …]} of one prefix
 */

import { isInstructions } from '../../core/config/layer/instructions.ts'
import { ROLE_SKILLS } from '../../core/config/layer/layout.ts'
import { sha256 } from '../../lib/digest.ts'
import { base32 } from '../../lib/id.ts'
import type { ObjectInfo, World } from '../../ports/world.ts'
import { layersPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import type { LayerPlace } from './list.ts'

/** Maximum time until a file written outside the API becomes visible. */
export const KEPT_MS = 30_000
/** Age at which an unrenewed row may be deleted, in milliseconds. */
const ROW_MS = 86_400_000
/** Maximum length of a stored listing in characters; a longer listing costs more than it saves. */
const MOST_LENGTH = 8_000
const STAMP = 'stamp'
const FILES = 'files'

interface KeptListing {
  readonly stamp: string
  /** Start of the listing, in milliseconds since 1970. */
  readonly at: number
  readonly files: readonly (readonly [key: string, etag: string, size: number])[]
}

/**
 * Returns whether a layer may show this path: below a dot folder, in a folder of skills or agents,
 * or as ignored instructions.
 */
export const isShown = (path: string): boolean =>
  /(?:^|\/)(?:\.|agents\/|skills\/)/.test(path) || isInstructions(path)

/** Invalidates every stored listing of the tenant. Throws `Unavailable` when that fails. */
export async function stampLayers(world: World, tenant: string): Promise<void> {
  if (world.settings.singleProcess) return
  const body = JSON.stringify({ stamp: base32(world.clock.random(12), 16) })
  const row = { op: 'put', key: STAMP, body, expect: 'any' } as const
  await update(world, 'the layer stamp', async () => {
    const done = await world.store.commit(layersPartition(tenant, STAMP), [row])
    return done === 'ok' ? true : undefined
  })
}

/**
 * Listings of one resolve. `kept` returns valid stored listings; `fresh` lists and stores the
 * result for other processes. A single process always lists.
 */
export class Listings {
  readonly #world: World
  readonly #tenant: string
  readonly #mode: 'kept' | 'fresh'
  readonly #reads = new Map<string, Promise<string | undefined>>()
  /** Listings made by this process for this resolve. */
  readonly #recentListings = new Map<string, readonly ObjectInfo[]>()

  constructor(world: World, tenant: string, mode: 'kept' | 'fresh') {
    this.#world = world
    this.#tenant = tenant
    this.#mode = mode
  }

  /** Starts reading before the listing is known to be needed. */
  begin(prefix: string, roleSkills: string | null): void {
    void this.find({ tenant: this.#tenant, prefix, roleSkills }).catch(() => undefined)
  }

  /** Returns the valid stored listing of a layer, if any. */
  async find(place: LayerPlace): Promise<readonly ObjectInfo[] | undefined> {
    const recent = this.#recentListings.get(nameOf(place))
    if (recent) return recent
    if (!this.#keeps(place)) return undefined
    const stamp = this.#stamp()
    if (this.#mode === 'fresh') {
      await stamp
      return undefined
    }
    const [now, text] = await Promise.all([stamp, this.#row(idOf(place), FILES)])
    if (text === undefined) return undefined
    const storedListing = keptIn(text)
    // Clocks differ; a timestamp in the future earns no extra lifetime.
    const age = this.#world.clock.now() - (storedListing?.at ?? 0)
    if (storedListing?.stamp !== now || Math.abs(age) >= KEPT_MS) return undefined
    return storedListing.files.map(([key, etag, size]) => ({ key, etag, size }))
  }

  /** Stores a listing that started at `at`, after `find`; best effort and not awaited. */
  keep(place: LayerPlace, files: readonly ObjectInfo[], at: number): void {
    this.#recentListings.set(nameOf(place), files)
    if (this.#keeps(place)) void this.#write(place, files, at).catch(() => undefined)
  }

  async #write(place: LayerPlace, files: readonly ObjectInfo[], at: number): Promise<void> {
    const stamp = await this.#stamp()
    const rows = files.map(({ key, etag, size }) => [key, etag, size] as const)
    const body = JSON.stringify({ stamp, at, files: rows } satisfies KeptListing)
    if (body.length > MOST_LENGTH) return
    await this.#world.store.commit(layersPartition(this.#tenant, idOf(place)), [
      { op: 'put', key: FILES, body, expect: 'any', expiresAt: at + ROW_MS },
    ])
  }

  /**
   * Returns whether a listing may be stored; a path does not show the relevance of older skills in
   * another folder.
   */
  #keeps({ roleSkills }: LayerPlace): boolean {
    const isCovered = roleSkills === null || roleSkills === ROLE_SKILLS.dir
    return isCovered && !this.#world.settings.singleProcess
  }

  /** Returns the stored stamp, which is only compared. */
  async #stamp(): Promise<string> {
    return (await this.#row(STAMP, STAMP)) ?? ''
  }

  /** Reads a row, once per resolve. */
  #row(id: string, key: string): Promise<string | undefined> {
    const pendingRead = this.#reads.get(id)
    if (pendingRead !== undefined) return pendingRead
    const rows = this.#world.store.read(layersPartition(this.#tenant, id))
    const read = rows.then((all) => all.find((row) => row.key === key)?.body)
    this.#reads.set(id, read)
    return read
  }
}

/** A corrupt row counts as a miss; the bucket is the source of truth. */
function keptIn(text: string): KeptListing | undefined {
  try {
    return stored<KeptListing>('a listing', text, { at: 'number', files: 'object' })
  } catch {
    return undefined
  }
}

const nameOf = ({ prefix, roleSkills }: LayerPlace): string => `${prefix}\n${roleSkills ?? ''}`

const idOf = (place: LayerPlace): string => sha256(nameOf(place)).slice(0, 32)
