/** Reads a file as text for a tool that processes it. */

import { encodingFault } from '../../core/config/encoding.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { type FileSpace, readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'

export const absent = (path: string): string =>
  `not_found: file ${JSON.stringify(path)} does not exist.`

/** Describes why bytes are not text: a UTF-16 file can be saved as UTF-8, a binary file cannot. */
export const notText = (path: string, body: Uint8Array): string =>
  `not_text: ${path} (${body.length} bytes): ${encodingFault(body)}.`

/** Returns the text of a file with its ETag, or an error if the file is missing or not text. */
export async function textOf(
  space: FileSpace,
  key: string,
  path: string,
): Promise<{ text: string; etag: string } | ToolAnswer> {
  const file = await readFile(space, key)
  if (!file) return bad(absent(path))
  const text = decodeStrict(file.body)
  if (text === undefined) return bad(notText(path, file.body))
  return { text, etag: file.etag }
}
