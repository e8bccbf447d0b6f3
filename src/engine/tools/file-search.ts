/** `file_search`: finds the files whose paths match a glob. */

import { fileSearch as tool } from '../../core/tools/builtin/file-search.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { matchingFiles } from './listing.ts'
import { type Folder, performed } from './tool.ts'

export const fileSearch = performed(tool, { perform: search })

async function search(folder: Folder, args: { readonly pattern: string }): Promise<ToolAnswer> {
  const listing = await matchingFiles(folder, args.pattern)
  if (typeof listing === 'string') return bad(listing)
  const paths = listing.files.map(({ path }) => path)
  return good(paths.length === 0 ? 'No files match.' : [...paths, ...listing.notes].join('\n'))
}
