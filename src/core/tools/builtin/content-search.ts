/**
 * `content_search`: finds lines that contain a text or match a regular expression. The parameters
 * follow `Grep`, whose spellings (`-i`, `-A`, `head_limit`) are accepted too.
 */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, count, object, text } from './tool.ts'

const CONTEXT_LINES = 50
const PAGE = 1_000
const FAR = 1_000_000

export const contentSearch = {
  name: 'content_search',
  mode: 'repeatable',
  thing: 'files',
  matched: 'path',
  foreign:
    'Grep codesearch codebase usages search/codebase search/textSearch search/usages textSearch ' +
    'rg search',
  parameters: {
    '-i': 'ignore_case',
    '-n': 'line_numbers',
    '-A': 'after',
    '-B': 'before',
    '-C': 'context',
    head_limit: 'limit',
  },
  description:
    'Finds lines that match a regular expression (`pattern`, JavaScript syntax without ' +
    'lookaround or backreferences) or literal text (`query`); set one. Returns ' +
    '`path:line: text`; context lines have the form `path-line- text`.',
  input_schema: object(
    {
      pattern: text('E.g. `function\\s+\\w+`'),
      query: { type: 'string' },
      path: text('A folder or file; default: the working folder'),
      glob: text('Files, e.g. `*.ts` (at any depth) or `src/**/*.{ts,tsx}`; `!` excludes files'),
      ignore_case: { type: 'boolean' },
      output_mode: {
        type: 'string',
        enum: ['content', 'files_with_matches', 'count'],
        description: 'Lines (default), paths only, or the number of lines per file',
      },
      before: lines('Context lines before matches'),
      after: lines('Context lines after matches'),
      context: lines('Lines before and after'),
      line_numbers: { type: 'boolean', description: 'Default true' },
      multiline: {
        type: 'boolean',
        description: 'Matches may span lines; `.` matches line breaks',
      },
      limit: count(`Lines, paths, or counts; default ${LIMITS.search_hits}`, PAGE),
      offset: lines('Results to skip', FAR),
    },
    [],
  ),
} as const satisfies BuiltinTool

function lines(description: string, maximum: number = CONTEXT_LINES) {
  return { type: 'integer', minimum: 0, maximum, description }
}
