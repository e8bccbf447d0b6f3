/** `shell_kill`: ends a long-running process. */

import { ALONG, SHELL_ID } from './shell-start.ts'
import { type BuiltinTool, object } from './tool.ts'

export const shellKill = {
  name: 'shell_kill',
  mode: 'once',
  thing: 'files',
  offered: ALONG,
  foreign: 'KillShell KillBash TaskStop',
  description:
    'Ends a long process with all that it has started, writes back the files that it has ' +
    'changed, and shows what it printed last.',
  parameters: { task_id: 'shell_id' },
  input_schema: object({ shell_id: SHELL_ID }, ['shell_id']),
} as const satisfies BuiltinTool
