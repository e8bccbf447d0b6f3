/** `file_list`: the files of a folder. */

import { fileList as tool } from '../../core/tools/builtin/file-list.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { filesIn } from './listing.ts'
import { type Folder, performed } from './tool.ts'

export const fileList = performed(tool, { perform: list })

async function list(folder: Folder, given: { readonly path?: string }): Promise<ToolAnswer> {
  const found = await filesIn(folder, given.path ?? '')
  if (typeof found === 'string') return bad(found)
  const lines = found.files.map(({ path, size }) => `${path} (${size})`)
  return good(lines.length === 0 ? 'No files.' : [...lines, ...found.notes].join('\n'))
}
