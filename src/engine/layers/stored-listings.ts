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

/** How long a file that was not written by the API may stay unseen, at most. */
export const KEPT_MS = 30_000
/** A row that was not renewed for this long can be deleted. */
const ROW_MS = 86_400_000
/** Length of a listing as text; a longer one would cost more than it saves. */
const MOST_LENGTH = 8_000
const STAMP = 'stamp'
const FILES = 'files'

interface KeptListing {
  readonly stamp: string
  /** When the listing began, milliseconds since 1970. */
  readonly at: number
  readonly files: readonly (readonly [key: string, etag: string, size: number])[]
}

/**
 * Whether a layer may show a file of this path: below a dot folder, where skills and agents lie, or
 * because it holds instructions that are not read.
 */
export const isShown = (path: string): boolean =>
  /(?:^|\/)(?:\.|agents\/|skills\/)/.test(path) || isInstructions(path)

/** Makes every kept listing of the tenant void. Throws `Unavailable` when that cannot be written. */
export async function stampLayers(world: World, tenant: string): Promise<void> {
  if (world.settings.singleProcess) return
  const body = JSON.stringify({ stamp: base32(world.clock.random(12), 16) })
  const row = { op: 'put', key: STAMP, body, expect: 'any' } as const
  await update(world, 'the stamp of the layers', async () => {
    const done = await world.store.commit(layersPartition(tenant, STAMP), [row])
    return done === 'ok' ? true : undefined
  })
}

/**
 * The listings that one resolve works with. `kept` takes those that still count; `fresh` lists, and
 * keeps what it finds for others. One process alone lists each time, as it costs it nothing.
 */
export class Listings {
  readonly #world: World
  readonly #tenant: string
  readonly #mode: 'kept' | 'fresh'
  readonly #reads = new Map<string, Promise<string | undefined>>()
  /** Made by this process for this moment. */
  readonly #recentListings = new Map<string, readonly ObjectInfo[]>()

  constructor(world: World, tenant: string, mode: 'kept' | 'fresh') {
    this.#world = world
    this.#tenant = tenant
    this.#mode = mode
  }

  /** Begins to read, before it is known for sure that it is wanted. */
  begin(prefix: string, roleSkills: string | null): void {
    void this.find({ tenant: this.#tenant, prefix, roleSkills }).catch(() => undefined)
  }

  /** The listing of a place that still counts, if there is one. */
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
    // Clocks differ: one that says that it comes from the future counts no longer than others.
    const age = this.#world.clock.now() - (storedListing?.at ?? 0)
    if (storedListing?.stamp !== now || Math.abs(age) >= KEPT_MS) return undefined
    return storedListing.files.map(([key, etag, size]) => ({ key, etag, size }))
  }

  /** Keeps a listing that began at `at`, after `find`. Best effort, not awaited. */
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

  /** When older skills are in another folder, a path does not say that a layer shows it. */
  #keeps({ roleSkills }: LayerPlace): boolean {
    const isCovered = roleSkills === null || roleSkills === ROLE_SKILLS.dir
    return isCovered && !this.#world.settings.singleProcess
  }

  /** As it stands there: it is only compared. */
  async #stamp(): Promise<string> {
    return (await this.#row(STAMP, STAMP)) ?? ''
  }

  /** Each row once: a resolve is of one moment. */
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
