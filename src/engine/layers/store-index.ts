/**
 * The compiled index: a layer's parsed files in one object outside of every layer. A cold process
 * reads this object, and the config file, whose line numbers are not stored, instead of thousands
 * of files. An index is created once per listing and never changed; a newer index has a higher
 * number in its name. If the index is corrupt, foreign, or missing, the files are read instead.
 *
 *     <tenant>/index/v1/<layer>/<number>-<fingerprint>
 *     {magic, fingerprint, length, entries: [[path, etag, parsed, from, to], …]} \n bodies
 */

import type { Parsed } from '../../core/config/layer/compile.ts'
import { decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { indexKey } from '../../lib/key.ts'
import type { ObjectInfo, World } from '../../ports/world.ts'

/**
 * Format version of an index. Increase it when parser findings change, so that older entries are
 * parsed again.
 */
const MAGIC = 'strata-layer-index-10'
/** Minimum number of files for which a layer has an index. */
export const INDEX_FILES = 32
/** Number of index objects kept per layer, for reads in progress. */
const KEPT_INDEXES = 2
/** Delay before an index is written, in milliseconds. */
const DELAY_MS = 250
/** Number of files packed per slice of thread time. */
const SLICE = 50

export interface IndexedFile {
  readonly path: string
  readonly etag: string
  readonly parsed: Parsed
}

/** Returns whether an index contains a file. The small config file is always read directly. */
export const isIndexed = (file: { readonly path: string }): boolean => /\.md$/i.test(file.path)

const folder = (tenant: string, prefix: string): string =>
  indexKey(tenant, `v1/${sha256(prefix).slice(0, 32)}/`)

/** Lists a layer's index objects, oldest first; returns an empty list on failure. */
export async function listIndexes(
  world: World,
  tenant: string,
  prefix: string,
): Promise<readonly ObjectInfo[]> {
  try {
    return (await world.objects.list(folder(tenant, prefix))).objects
  } catch {
    return []
  }
}

/** Reads parsed files by path and ETag from the listing's own index, otherwise the newest. */
export async function readIndex(
  world: World,
  indexes: readonly ObjectInfo[],
  fingerprint: string,
): Promise<ReadonlyMap<string, Parsed>> {
  const info = indexes.findLast((index) => index.key.endsWith(`-${fingerprint}`)) ?? indexes.at(-1)
  if (info === undefined) return new Map()
  try {
    const object = await world.objects.get(info.key)
    const text = object === null ? undefined : decodeStrict(object.body)
    return text === undefined ? new Map() : unpack(text)
  } catch {
    return new Map()
  }
}

/** Writes the index of a layer listing and deletes old indexes (best effort). */
export async function writeIndex(
  world: World,
  where: {
    readonly tenant: string
    readonly prefix: string
    readonly print: string
    /** Indexes listed before the files were read, none of which was usable. */
    readonly indexes: readonly ObjectInfo[]
  },
  files: readonly IndexedFile[],
): Promise<void> {
  const { tenant, prefix, print } = where
  try {
    // The delay gives priority to the caller and to the next request.
    await world.clock.sleep(DELAY_MS)
    const indexes = await listIndexes(world, tenant, prefix)
    const useless = new Set(where.indexes.map(({ key }) => key))
    if (indexes.some(({ key }) => key.endsWith(`-${print}`) && !useless.has(key))) return
    const number = Number(nameOf(indexes.at(-1))?.slice(0, 10) ?? 0) + 1
    const name = `${String(number).padStart(10, '0')}-${print}`
    const key = `${folder(tenant, prefix)}${name}`
    await world.objects.put(key, encode(await pack(world, print, files)), 'absent')
    const old = indexes.slice(0, Math.max(0, indexes.length + 1 - KEPT_INDEXES))
    await Promise.all(old.map((index) => world.objects.delete(index.key, 'any')))
  } catch {
    // Without an index, the next cold resolve reads the files.
  }
}

const nameOf = (info: ObjectInfo | undefined): string | undefined =>
  info?.key.slice(info.key.lastIndexOf('/') + 1)

export const indexSlot = (path: string, etag: string): string => `${path}\n${etag}`

type Entry = readonly [path: string, etag: string, parsed: Parsed, start: number, end: number]

/**
 * Packs files into an index in slices, so that a concurrent resolve does not wait for thousands of
 * files.
 */
async function pack(
  world: World,
  fingerprint: string,
  files: readonly IndexedFile[],
): Promise<string> {
  const entries: string[] = []
  const bodies: string[] = []
  let at = 0
  for (const [index, { path, etag, parsed }] of files.entries()) {
    const body = bodyOf(parsed)
    const entry: Entry = [path, etag, withBody(parsed, ''), at, at + body.length]
    entries.push(JSON.stringify(entry))
    bodies.push(body)
    at += body.length
    if (index % SLICE === SLICE - 1) await world.clock.sleep(1)
  }
  const head = JSON.stringify({ magic: MAGIC, fingerprint, length: at })
  return `${head.slice(0, -1)},"entries":[${entries.join(',')}]}\n${bodies.join('')}`
}

function unpack(text: string): ReadonlyMap<string, Parsed> {
  const line = text.indexOf('\n')
  const head = JSON.parse(text.slice(0, line)) as {
    magic?: unknown
    length?: unknown
    entries: readonly Entry[]
  }
  const bodies = text.slice(line + 1)
  if (head.magic !== MAGIC || head.length !== bodies.length) return new Map()
  const parsed = new Map<string, Parsed>()
  for (const [path, etag, parsedFile, start, end] of head.entries) {
    parsed.set(indexSlot(path, etag), withBody(parsedFile, bodies.slice(start, end)))
  }
  return parsed
}

function bodyOf(parsed: Parsed): string {
  if (parsed.type === 'agent') return parsed.agent?.system_prompt ?? ''
  return parsed.type === 'skill' ? (parsed.skill?.body ?? '') : ''
}

function withBody(parsed: Parsed, body: string): Parsed {
  if (parsed.type === 'agent' && parsed.agent !== null) {
    return { ...parsed, agent: { ...parsed.agent, system_prompt: body } }
  }
  if (parsed.type === 'skill' && parsed.skill !== null) {
    return { ...parsed, skill: { ...parsed.skill, body } }
  }
  return parsed
}
