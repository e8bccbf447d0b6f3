/** `file_search`: finds files whose paths match a glob. */

import { type BuiltinTool, object, text } from './tool.ts'

export const fileSearch = {
  name: 'file_search',
  mode: 'repeatable',
  thing: 'files',
  foreign: 'Glob findTestFiles search/fileSearch fileSearch find search',
  description: 'Finds files whose paths match a glob, e.g. `**/*.md` or `src/*.ts`.',
  input_schema: object({ pattern: text('Glob: `*` within a folder, `**` across folders') }, [
    'pattern',
  ]),
} as const satisfies BuiltinTool
