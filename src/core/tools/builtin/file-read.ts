/** `file_read`: reads all or some lines of a text file, or shows an image or PDF file. */

import { type BuiltinTool, count, object, PATH } from './tool.ts'

export const fileRead = {
  name: 'file_read',
  mode: 'repeatable',
  thing: 'files',
  matched: 'path',
  foreign: 'NotebookRead read view_image read/readFile view read_file cat',
  user_facing: 3,
  description:
    'Reads a file from the working folder, or one attached by a subagent, by its name in ' +
    'the report. Read long files in parts by line; images and PDF files are shown to you.',
  input_schema: object(
    {
      path: PATH,
      offset: count('First line to read, from 1', 1_000_000),
      limit: count('Number of lines to read', 100_000),
    },
    ['path'],
  ),
} as const satisfies BuiltinTool
