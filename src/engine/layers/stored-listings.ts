/**
 * Layer listings, cached in the store if several processes share the store. A bucket listing is the
 * most expensive and slowest request of a run, and rarely changes. Every write through the API sets
 * a new stamp before its response (`files.ts`), and a listing is valid only under the stamp read
 * before the listing was made. API writes are therefore visible immediately. Files that enter the
 * bucket by other means set no stamp, so a listing is valid for at most 30 s.
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

/** Maximum time until a file written outside the API becomes visible, in milliseconds. */
export const KEPT_MS = 30_000
/** Age at which an unrenewed listing row may be deleted, in milliseconds. */
const ROW_MS = 86_400_000
/** Maximum length of a stored listing in characters. A longer listing costs more than it saves. */
const MOST_LENGTH = 8_000
const STAMP = 'stamp'
const FILES = 'files'

type Mode = 'kept' | 'fresh' | 'none'

interface KeptListing {
  readonly stamp: string
  /** Time at which the listing started, in milliseconds since 1970. */
  readonly at: number
  readonly files: readonly (readonly [key: string, etag: string, size: number])[]
}

/**
 * Returns whether a layer may include a path: below a dot folder, in a folder of skills or agents,
 * or as ignored instructions.
 */
export const isShown = (path: string): boolean =>
  /(?:^|\/)(?:\.|agents\/|skills\/)/.test(path) || isInstructions(path)

/** Invalidates all stored listings of the tenant. Throws `Unavailable` on failure. */
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
 * Layer listings of one resolve. Mode `kept` uses valid stored listings; `fresh` lists, and stores
 * the listings for other processes; `none` lists, and stores nothing. A single process always lists.
 */
export class Listings {
  readonly #world: World
  readonly #tenant: string
  readonly #mode: Mode
  readonly #reads = new Map<string, Promise<string | undefined>>()
  /** Listings that this process made for this resolve. */
  readonly #recentListings = new Map<string, readonly ObjectInfo[]>()

  constructor(world: World, tenant: string, mode: Mode) {
    this.#world = world
    this.#tenant = tenant
    this.#mode = mode
  }

  /** Starts to read a stored listing before it is known to be needed. */
  begin(prefix: string, roleSkills: string | null): void {
    void this.find({ tenant: this.#tenant, prefix, roleSkills }).catch(() => undefined)
  }

  /** Returns a layer's stored listing if it is valid. */
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
    // Clocks differ. A timestamp in the future must not extend the listing's lifetime.
    const age = this.#world.clock.now() - (storedListing?.at ?? 0)
    if (storedListing?.stamp !== now || Math.abs(age) >= KEPT_MS) return undefined
    return storedListing.files.map(([key, etag, size]) => ({ key, etag, size }))
  }

  /** Stores a listing that started at `at`, after `find`. Best effort and not awaited. */
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
   * Returns whether a layer's listing may be stored. A path does not show whether older skills in
   * another folder are relevant.
   */
  #keeps({ roleSkills }: LayerPlace): boolean {
    const isCovered = roleSkills === null || roleSkills === ROLE_SKILLS.dir
    return isCovered && this.#mode !== 'none' && !this.#world.settings.singleProcess
  }

  /** Returns the tenant's stored stamp, which is only compared. */
  async #stamp(): Promise<string> {
    return (await this.#row(STAMP, STAMP)) ?? ''
  }

  /** Reads a stored row, only once per resolve. */
  #row(id: string, key: string): Promise<string | undefined> {
    const pendingRead = this.#reads.get(id)
    if (pendingRead !== undefined) return pendingRead
    const rows = this.#world.store.read(layersPartition(this.#tenant, id))
    const read = rows.then((all) => all.find((row) => row.key === key)?.body)
    this.#reads.set(id, read)
    return read
  }
}

/**
 * Parses a stored listing. A corrupt row counts as a miss, because the bucket is the source of
 * truth.
 */
function keptIn(text: string): KeptListing | undefined {
  try {
    return stored<KeptListing>('a listing', text, { at: 'number', files: 'object' })
  } catch {
    return undefined
  }
}

const nameOf = ({ prefix, roleSkills }: LayerPlace): string => `${prefix}\n${roleSkills ?? ''}`

const idOf = (place: LayerPlace): string => sha256(nameOf(place)).slice(0, 32)
