/** `attach_file`: attaches a file to the run's output. */

import { type BuiltinTool, object, PATH } from './tool.ts'

export const attachFile = {
  name: 'attach_file',
  mode: 'repeatable',
  thing: 'files',
  matched: 'path',
  user_facing: 4,
  description:
    "Adds a file from the working folder, or one attached by a subagent, to this run's " +
    'output.',
  input_schema: object({ path: PATH }, ['path']),
} as const satisfies BuiltinTool
