/**
 * One layer out of the bucket: list it, read the files that changed since this process last saw
 * them, compile. All files are read at once, so a cold load is the listing and one more trip.
 */

import { compileLayer, type Parsed, parseLayerFile } from '../../core/config/compile.ts'
import { filesToRead, type LayerFile, planLayer } from '../../core/config/layer.ts'
import type { LayerKind } from '../../core/config/types.ts'
import { sha256 } from '../../lib/digest.ts'
import { fileKey } from '../../lib/key.ts'
import type { ObjectInfo, World } from '../../ports/world.ts'
import { cacheKey, cacheOf, type KnownLayer } from './cache.ts'
import { listLayer } from './list.ts'

/** A layer that is written to all the time is taken as read at the last try. */
const TRIES = 3

export interface LayerQuestion {
  readonly tenant: string
  readonly kind: LayerKind
  /** Ends with a slash. */
  readonly prefix: string
  /** Looks at the listing only: an invalid role layer is not read. */
  readonly onlyIfValid?: boolean
}

/** The layer, or undefined when only a valid one was asked for and it is not. */
export async function loadLayer(
  world: World,
  question: LayerQuestion,
): Promise<KnownLayer | undefined> {
  const { tenant, kind, prefix } = question
  const { layers } = cacheOf(world.objects)
  const slot = cacheKey(tenant, kind, prefix)
  for (let attempt = 1; ; attempt += 1) {
    const { files } = await listLayer(world.objects, tenant, prefix, kind === 'base')
    const known = layers.get(slot)
    if (known !== undefined && sameListing(known.files, files)) {
      return question.onlyIfValid === true && !known.compiled.valid ? undefined : known
    }
    const plan = planLayer(kind, prefix, files.map(layerFile))
    if (question.onlyIfValid === true && !plan.valid) return undefined
    const read = await readAll(world, tenant, prefix, filesToRead(plan))
    // A file that changed between listing and reading makes a mixture: look again.
    if (read.changed && attempt < TRIES) continue
    const compiled = compileLayer(plan, (file) => read.parsed.get(file.path))
    const loaded = { files, fingerprint: fingerprint(prefix, files), compiled }
    if (!read.changed) layers.set(slot, loaded)
    return loaded
  }
}

const layerFile = (info: ObjectInfo): LayerFile => ({
  path: info.key,
  etag: info.etag,
  size: info.size,
})

function sameListing(left: readonly ObjectInfo[], right: readonly ObjectInfo[]): boolean {
  if (left.length !== right.length) return false
  return left.every((one, index) => {
    const other = right[index]
    return one.key === other?.key && one.etag === other.etag && one.size === other.size
  })
}

const fingerprint = (prefix: string, files: readonly ObjectInfo[]): string =>
  sha256(JSON.stringify([prefix, ...files.map((file) => [file.key, file.etag, file.size])]))

interface ReadFiles {
  readonly parsed: ReadonlyMap<string, Parsed>
  /** True when a file was not as the listing said. */
  readonly changed: boolean
}

async function readAll(
  world: World,
  tenant: string,
  prefix: string,
  files: readonly LayerFile[],
): Promise<ReadFiles> {
  const cache = cacheOf(world.objects).parsed
  const parsed = new Map<string, Parsed>()
  let changed = false
  const read = async (file: LayerFile) => {
    const slot = (etag: string) => cacheKey(tenant, prefix + file.path, etag)
    const known = cache.get(slot(file.etag))
    if (known !== undefined) return parsed.set(file.path, known)
    const object = await world.objects.get(fileKey(tenant, prefix + file.path))
    if (object === null || object.etag !== file.etag) changed = true
    if (object === null) return
    const result = parseLayerFile(file.path, object.body)
    cache.set(slot(object.etag), result, { size: object.body.byteLength + 512 })
    parsed.set(file.path, result)
  }
  await Promise.all(files.map(read))
  return { parsed, changed }
}
