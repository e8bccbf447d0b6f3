/** `shell_write`: sends input to a long-running shell process. */

import { ALONG, SHELL_ID } from './shell-start.ts'
import { type BuiltinTool, object, text } from './tool.ts'

export const shellWrite = {
  name: 'shell_write',
  mode: 'once',
  thing: 'files',
  offered: ALONG,
  asks: true,
  foreign: 'write_stdin',
  description: "Writes bytes to a long-running process's standard input.",
  input_schema: object(
    {
      shell_id: SHELL_ID,
      input: { ...text('Include a final line feed'), minLength: 1, maxLength: 65_536 },
    },
    ['shell_id', 'input'],
  ),
} as const satisfies BuiltinTool
