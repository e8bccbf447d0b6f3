/** `shell_execute`: runs a command on the files of the working folder. */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, count, type OfferedTo, object, text } from './tool.ts'

const SECONDS = 30

const LIVES_ON = 'The current folder and exported variables persist until the run ends.'

const HERE =
  'Runs a command in a bash-like shell on the files in the working folder and writes ' +
  'back changes. It has the usual text tools, such as grep, sed, awk, find, jq, and ' +
  `sort, but no network, machine programs, python, or node. ${LIVES_ON}`
const ON_A_MACHINE =
  'Runs a command in bash on the files in the working folder and writes back changes, ' +
  "in a machine's sandbox with its programs but without a network. All its processes " +
  `end with the command; longer ones have separate tools. ${LIVES_ON}`

export const shellExecute = {
  name: 'shell_execute',
  mode: 'once',
  thing: 'files',
  matched: 'command',
  asks: true,
  foreign:
    'Bash PowerShell Monitor shell exec_command ' +
    'execute exec runCommands runInTerminal terminalLastCommand run_shell_command terminal ' +
    'execute/runInTerminal runCommands/runInTerminal',
  description: HERE,
  offered: { text: ({ machine }: OfferedTo): string => (machine ? ON_A_MACHINE : HERE) },
  input_schema: object(
    {
      command: { ...text('The command'), minLength: 1, maxLength: 65_536 },
      timeout_seconds: count(`Time limit in seconds; default ${SECONDS}`, LIMITS.shell_seconds),
    },
    ['command'],
  ),
} as const satisfies BuiltinTool

export const SHELL_SECONDS = SECONDS
