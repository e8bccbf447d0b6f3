/**
 * `content_search`: lines that contain a text or match a regular expression. Its parameters are
 * those that users of `Grep` know; their spellings (`-i`, `-A`, `head_limit`) mean the same.
 */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, count, object, text } from './tool.ts'

const CONTEXT_LINES = 50
const PAGE = 1_000
const FAR = 1_000_000

export const contentSearch = {
  name: 'content_search',
  mode: 'repeatable',
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
    'Finds lines by a regular expression (`pattern`, syntax of RE2: no lookaround, no ' +
    'backreferences) or by a text taken literally (`query`): give one of them. ' +
    'Answers `path:line: text`; lines of context stand as `path-line- text`.',
  input_schema: object(
    {
      pattern: text('A regular expression, e.g. `function\\s+\\w+`'),
      query: text('A text that is taken literally'),
      path: text('A folder or file to search; without it the whole working folder'),
      glob: text(
        'Which files are searched, e.g. `*.ts` (at any depth) or `src/**/*.{ts,tsx}`; ' +
          'with `!` in front, which are not',
      ),
      ignore_case: { type: 'boolean', description: 'Whether capitals are ignored' },
      output_mode: {
        type: 'string',
        enum: ['content', 'files_with_matches', 'count'],
        description: 'Lines (default), only the paths, or the number of lines of each file',
      },
      before: lines('How many lines before each one are shown'),
      after: lines('How many lines after each one are shown'),
      context: lines('How many lines before and after each one are shown'),
      line_numbers: { type: 'boolean', description: 'Whether lines are numbered; default true' },
      multiline: {
        type: 'boolean',
        description: 'Whether a match may span lines, `.` matching line breaks too',
      },
      limit: count(
        `How many lines, paths or counts are answered; default ${LIMITS.search_hits}`,
        PAGE,
      ),
      offset: lines('How many of them are left out first', FAR),
    },
    [],
  ),
} as const satisfies BuiltinTool

function lines(description: string, maximum: number = CONTEXT_LINES) {
  return { type: 'integer', minimum: 0, maximum, description }
}
