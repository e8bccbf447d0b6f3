/** `file_list`: lists the files of a folder. */

import { fileList as tool } from '../../core/tools/builtin/file-list.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { filesIn } from './listing.ts'
import { type Folder, performed } from './tool.ts'

export const fileList = performed(tool, { perform: list })

async function list(folder: Folder, args: { readonly path?: string }): Promise<ToolAnswer> {
  const listing = await filesIn(folder, args.path ?? '')
  if (typeof listing === 'string') return bad(listing)
  const lines = listing.files.map(({ path, size }) => `${path} (${size})`)
  return good(lines.length === 0 ? 'No files.' : [...lines, ...listing.notes].join('\n'))
}
