/** `shell_execute`: a command over the files of the working folder. */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, count, object, text } from './tool.ts'

const SECONDS = 30

export const shellExecute = {
  name: 'shell_execute',
  mode: 'once',
  asks: true,
  foreign:
    'Bash PowerShell BashOutput KillShell KillBash Monitor shell exec_command write_stdin ' +
    'execute exec runCommands runInTerminal terminalLastCommand run_shell_command terminal ' +
    'execute/runInTerminal execute/getTerminalOutput runCommands/runInTerminal',
  description:
    'Runs a command in a bash-like shell over the files of the working folder, and writes back ' +
    'what it changed. There are the usual text tools (grep, sed, awk, find, jq, sort, diff …), ' +
    'no network, no programs of a machine, no python or node. The current folder and exported ' +
    'variables live on until the run ends.',
  input_schema: object(
    {
      command: { ...text('What to run'), minLength: 1, maxLength: 65_536 },
      timeout_seconds: count(`Seconds until it is ended; default ${SECONDS}`, LIMITS.shell_seconds),
    },
    ['command'],
  ),
} as const satisfies BuiltinTool

export const SHELL_SECONDS = SECONDS
