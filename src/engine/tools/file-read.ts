/** `file_read`: reads one file, or a range of its lines. */

import { LIMITS } from '../../core/limits.ts'
import { markOf, mediaTypeOf } from '../../core/media.ts'
import { fileRead as tool } from '../../core/tools/builtin/file-read.ts'
import { readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { locate } from './paths.ts'
import { textOf } from './text-of.ts'
import { type Caller, performed, placeOf, spaceOf } from './tool.ts'

interface Args {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
}

export const fileRead = performed(tool, { perform: read })

const PICTURE = /\.(?:png|jpe?g|gif|webp|pdf|wav|mp3)$/i

/** Returns images, PDF files, and audio as media; the model receives the kinds it supports. */
async function picture(
  caller: Caller,
  key: string,
  { path }: Args,
): Promise<ToolAnswer | undefined> {
  if (!PICTURE.test(path)) return undefined
  const file = await readFile(spaceOf(caller), key)
  const media_type = file ? mediaTypeOf(file.body) : undefined
  if (!file || !media_type) return undefined
  const { length } = file.body
  if (length > LIMITS.media_bytes) {
    return bad(`too_large: ${path} has ${length} bytes; limit: ${LIMITS.media_bytes}.`)
  }
  const media = { media_type, name: path.slice(path.lastIndexOf('/') + 1), data: file.body }
  return { ...good(markOf(media)), media: [media] }
}

async function read(caller: Caller, args: Args): Promise<ToolAnswer> {
  const key = locate(await placeOf(caller, args.path), args.path, 'read')
  if (!key.ok) return bad(key.error)
  const image = await picture(caller, key.value, args)
  if (image) return image
  const file = await textOf(spaceOf(caller), key.value, args.path)
  if ('status' in file) return file
  if (args.offset === undefined && args.limit === undefined) return good(file.text)
  const lines = file.text.split('\n')
  const from = (args.offset ?? 1) - 1
  return good(lines.slice(from, from + (args.limit ?? lines.length)).join('\n'))
}
