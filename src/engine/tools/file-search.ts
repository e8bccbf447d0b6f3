/** `file_search`: the files whose paths match a glob. */

import { fileSearch as tool } from '../../core/tools/builtin/file-search.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { matchingFiles } from './listing.ts'
import { type Folder, performed } from './tool.ts'

export const fileSearch = performed(tool, { perform: search })

async function search(folder: Folder, given: { readonly pattern: string }): Promise<ToolAnswer> {
  const found = await matchingFiles(folder, given.pattern)
  if (typeof found === 'string') return bad(found)
  const paths = found.files.map(({ path }) => path)
  return good(paths.length === 0 ? 'No file matches.' : [...paths, ...found.notes].join('\n'))
}
