/** `shell_kill`: ends a long-running shell process. */

import { ALONG, SHELL_ID } from './shell-start.ts'
import { type BuiltinTool, object } from './tool.ts'

export const shellKill = {
  name: 'shell_kill',
  mode: 'once',
  thing: 'files',
  offered: ALONG,
  foreign: 'KillShell KillBash TaskStop',
  description:
    'Ends a long-running process and all its children, writes back changed files, and ' +
    'shows its last output.',
  parameters: { task_id: 'shell_id' },
  input_schema: object({ shell_id: SHELL_ID }, ['shell_id']),
} as const satisfies BuiltinTool
