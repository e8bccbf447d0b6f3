/** The text of a file that a tool works on. */

import { decodeStrict } from '../../lib/bytes.ts'
import { type FileSpace, readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'

export const absent = (path: string): string =>
  `not_found: there is no file ${JSON.stringify(path)}.`

/** The text of a file with its etag, or the answer that there is none. */
export async function textOf(
  space: FileSpace,
  key: string,
  path: string,
): Promise<{ text: string; etag: string } | ToolAnswer> {
  const file = await readFile(space, key)
  if (!file) return bad(absent(path))
  const text = decodeStrict(file.body)
  if (text === undefined) return bad(`not_text: ${path} is not UTF-8 (${file.body.length} bytes).`)
  return { text, etag: file.etag }
}
