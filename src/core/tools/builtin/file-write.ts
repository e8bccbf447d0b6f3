/** `file_write`: creates or replaces a file. */

import { type BuiltinTool, object, PATH, text } from './tool.ts'

export const fileWrite = {
  name: 'file_write',
  mode: 'write',
  thing: 'files',
  matched: 'path',
  foreign: 'Write create create_file edit/createFile createFile write_file edit apply_patch',
  description: 'Writes a text file in the working folder, replacing an existing one.',
  input_schema: object({ path: PATH, content: text('The entire content') }, ['path', 'content']),
} as const satisfies BuiltinTool
