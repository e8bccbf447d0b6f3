/**
 * Resolves layers as if some of their files were edited, without storing anything. The edits lie
 * over the bucket: listings and reads return them first, and writes are refused. Only this
 * resolution sees them.
 */

import { note } from '../../core/config/diagnostic.ts'
import type { Diagnostic, LayerSelection, Resolved } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { fileKey, keyPath } from '../../lib/key.ts'
import { compareKeys } from '../../lib/order.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ListedObject, Objects, World } from '../../ports/world.ts'
import { lendParsed } from './cache.ts'
import { resolveLayers } from './resolve.ts'
import { Listings } from './stored-listings.ts'

export interface Overlay {
  /** Edited files; `text: null` stands for a deleted file. */
  readonly files: readonly { readonly path: string; readonly text: string | null }[]
}

/** Beginning of the ETags of edited files. No bucket generates such an ETag. */
const ETAG = 'overlay-'

/** Resolves layers as `resolveLayers` does, with the files of the overlay in place of the stored. */
export async function resolveWith(
  world: World,
  tenant: string,
  selection: LayerSelection,
  overlay: Overlay | undefined,
): Promise<Outcome<Resolved, Refusal>> {
  if (overlay === undefined) return resolveLayers(world, tenant, selection)
  const edits = editsOf(tenant, overlay)
  if (!edits.ok) return edits
  const replaced = new Set<string>()
  const objects = overlaid(world.objects, edits.value, replaced)
  lendParsed(objects, world.objects, (etag) => etag.startsWith(ETAG))
  const edited = { ...world, objects }
  const listings = new Listings(edited, tenant, 'none')
  const resolved = await resolveLayers(edited, tenant, selection, { listings })
  if (!resolved.ok) return resolved
  const outside = outsideRefusal(resolved.value, selection, overlay)
  if (outside) return fail(outside)
  const isReplaced = (path: string) => replaced.has(fileKey(tenant, path))
  const unused = unusedEdits(resolved.value, selection, overlay, isReplaced)
  const diagnostics = [...resolved.value.diagnostics, ...unused]
  return ok({ ...resolved.value, diagnostics })
}

interface Edit {
  readonly body: Uint8Array | null
  readonly etag: string
}

/** Returns the edits by object key. Paths are validated as for stored files. */
function editsOf(tenant: string, { files }: Overlay): Outcome<ReadonlyMap<string, Edit>, Refusal> {
  const edits = new Map<string, Edit>()
  let bytes = 0
  for (const [index, { path, text }] of files.entries()) {
    const pathPointer = `/overlay/files/${index}/path`
    const checked = keyPath(path)
    if (!checked.ok) return refuse(pathPointer, `Invalid path: ${checked.error}.`)
    const key = fileKey(tenant, path)
    if (edits.has(key)) return refuse(pathPointer, `${path} occurs more than once.`)
    const body = text === null ? null : encode(text)
    bytes += body?.byteLength ?? 0
    if (bytes > LIMITS.overlay_bytes) {
      const message = `The texts of the overlay exceed ${LIMITS.overlay_bytes} bytes in total.`
      const errors = [{ pointer: `/overlay/files/${index}/text`, message }]
      return fail(refusal('too_large', message, { errors }))
    }
    edits.set(key, { body, etag: body === null ? '' : `${ETAG}${sha256(body)}` })
  }
  return ok(edits)
}

const refuse = (pointer: string, message: string): Outcome<never, Refusal> =>
  fail(refusal('invalid_request', message, { errors: [{ pointer, message }] }))

/**
 * Returns the bucket with edits over it. `replaced` receives the keys of stored objects that an
 * edit replaces or deletes.
 */
function overlaid(
  objects: Objects,
  edits: ReadonlyMap<string, Edit>,
  replaced: Set<string>,
): Objects {
  const added = [...edits].flatMap(([key, { body, etag }]): ListedObject[] =>
    body === null ? [] : [{ key, etag, size: body.byteLength, modified: 0 }],
  )
  const readOnly = (): never => {
    throw new Error('An overlay is read-only.')
  }
  return {
    async get(key) {
      const edit = edits.get(key)
      if (edit === undefined) return objects.get(key)
      return edit.body === null ? null : { body: edit.body, etag: edit.etag }
    },
    async list(prefix, cursor) {
      const page = await objects.list(prefix, cursor)
      for (const { key } of page.objects) if (edits.has(key)) replaced.add(key)
      const isInPage = (key: string) =>
        key.startsWith(prefix) &&
        (cursor === undefined || compareKeys(key, cursor) > 0) &&
        (page.cursor === undefined || compareKeys(key, page.cursor) <= 0)
      const infos = [
        ...page.objects.filter(({ key }) => !edits.has(key)),
        ...added.filter(({ key }) => isInPage(key)),
      ].sort((left, right) => compareKeys(left.key, right.key))
      return { objects: infos, cursor: page.cursor }
    },
    put: async () => readOnly(),
    delete: async () => readOnly(),
  }
}

/** Rejects an edit of a file that is in none of the layers that were read. */
function outsideRefusal(
  { layers }: Resolved,
  { mcp_config_path: configPath }: LayerSelection,
  { files }: Overlay,
): Refusal | undefined {
  const prefixes = layers.map(({ layer }) => layer)
  const errors = files.flatMap(({ path }, index) => {
    if (path === configPath?.trim() || prefixes.some((prefix) => path.startsWith(prefix))) return []
    const message = `${path} is in none of the layers that a run reads: ${prefixes.join(', ')}`
    return [{ pointer: `/overlay/files/${index}/path`, message }]
  })
  return errors.length === 0
    ? undefined
    : refusal('invalid_request', `${errors[0]!.message}.`, { errors })
}

/** Reports the edits that change nothing, because no layer reads the file or it does not exist. */
function unusedEdits(
  { records }: Resolved,
  { mcp_config_path: configPath }: LayerSelection,
  { files }: Overlay,
  isReplaced: (path: string) => boolean,
): Diagnostic[] {
  const recorded = new Set(records.map(({ layer, path }) => `${layer}${path}`))
  return files.flatMap(({ path, text }) => {
    if (text === null) {
      if (isReplaced(path)) return []
      return [note('overlay_unused', `${path} is not read or does not exist; it stays absent`)]
    }
    if (recorded.has(path) || path === configPath?.trim()) return []
    return [
      note(
        'overlay_unused',
        `${path} is not configuration, so the edit changes nothing; tools can read it`,
      ),
    ]
  })
}
