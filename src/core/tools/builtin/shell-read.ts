/**
 * `shell_read`: returns new output of a long-running shell process, and whether the process is
 * still running.
 */

import { LIMITS } from '../../limits.ts'
import { ALONG, SHELL_ID } from './shell-start.ts'
import { type BuiltinTool, count, object } from './tool.ts'

export const shellRead = {
  name: 'shell_read',
  mode: 'once',
  thing: 'files',
  offered: ALONG,
  foreign: 'BashOutput TaskOutput execute/getTerminalOutput',
  description:
    'Reads the output of a long-running process since the last read, and reports its ' +
    'status or exit code.',
  parameters: { bash_id: 'shell_id', task_id: 'shell_id' },
  input_schema: object(
    {
      shell_id: SHELL_ID,
      wait_seconds: count('Seconds to wait for output or exit; default 0', LIMITS.shell_seconds),
    },
    ['shell_id'],
  ),
} as const satisfies BuiltinTool
