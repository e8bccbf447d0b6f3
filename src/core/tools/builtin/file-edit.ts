/** `file_edit`: replaces text in a file. */

import { type BuiltinTool, object, PATH, text } from './tool.ts'

export const fileEdit = {
  name: 'file_edit',
  mode: 'write',
  thing: 'files',
  matched: 'path',
  // Claude Code's `Edit` does not create files; Copilot's `edit` does.
  foreign:
    'Edit edit apply_patch MultiEdit NotebookEdit patch editFiles edit/editFiles edit_file ' +
    'str_replace insert',
  description:
    'Replaces text in a file. The old text must occur exactly once unless `all` is true.',
  input_schema: object(
    {
      path: PATH,
      old_text: { type: 'string', minLength: 1, description: 'The text to replace' },
      new_text: text('The replacement text'),
      all: { type: 'boolean', description: 'Replace every occurrence' },
    },
    ['path', 'old_text', 'new_text'],
  ),
} as const satisfies BuiltinTool
