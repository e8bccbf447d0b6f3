/** `content_search`: lines that contain a text. */

import { type BuiltinTool, object, text } from './tool.ts'

export const contentSearch = {
  name: 'content_search',
  mode: 'repeatable',
  foreign:
    'Grep codesearch codebase usages search/codebase search/textSearch search/usages textSearch ' +
    'rg search',
  description: 'Finds lines that contain a text. Answers `path:line: text`.',
  input_schema: object(
    {
      query: text('The text to look for, taken literally'),
      pattern: text('Glob that limits which files are searched'),
      ignore_case: { type: 'boolean', description: 'Whether capitals are ignored' },
    },
    ['query'],
  ),
} as const satisfies BuiltinTool
