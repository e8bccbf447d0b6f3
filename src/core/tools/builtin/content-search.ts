/**
 * `content_search`: finds lines that contain a text or match a regular expression. Its parameters
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
    'Finds lines by a regular expression (`pattern`, JavaScript syntax: no lookaround, no ' +
    'backreferences) or by a text taken literally (`query`): give one of them. ' +
    'Answers `path:line: text`; lines of context stand as `path-line- text`.',
  input_schema: object(
    {
      pattern: text('E.g. `function\\s+\\w+`'),
      query: { type: 'string' },
      path: text('A folder or file; without it the whole working folder'),
      glob: text(
        'Which files, e.g. `*.ts` (at any depth) or `src/**/*.{ts,tsx}`; with `!`: which not',
      ),
      ignore_case: { type: 'boolean' },
      output_mode: {
        type: 'string',
        enum: ['content', 'files_with_matches', 'count'],
        description: 'Lines (default), only the paths, or the number of lines of each file',
      },
      before: lines('Lines of context before each'),
      after: lines('Lines of context after each'),
      context: lines('Both, before and after'),
      line_numbers: { type: 'boolean', description: 'Default true' },
      multiline: {
        type: 'boolean',
        description: 'A match may span lines; `.` matches line breaks too',
      },
      limit: count(`Lines, paths or counts returned; default ${LIMITS.search_hits}`, PAGE),
      offset: lines('Number to skip first', FAR),
    },
    [],
  ),
} as const satisfies BuiltinTool

function lines(description: string, maximum: number = CONTEXT_LINES) {
  return { type: 'integer', minimum: 0, maximum, description }
}
