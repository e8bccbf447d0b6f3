/** `shell_execute`: runs a command on the files of the working folder. */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, count, type OfferedTo, object, text } from './tool.ts'

const SECONDS = 30

const LIVES_ON = 'The current folder and exported variables are kept until the run ends.'

const HERE =
  'Runs a command in a bash-like shell over the files of the working folder, and writes back ' +
  'what it changed. There are the usual text tools, like grep, sed, awk, find, jq and sort, ' +
  `no network, no programs of a machine, no python or node. ${LIVES_ON}`
const ON_A_MACHINE =
  'Runs a command in bash over the files of the working folder, and writes back what it ' +
  'changed: in a sandbox of a machine, with its programs and without a network. All its ' +
  `processes end with the command; longer ones have tools of their own. ${LIVES_ON}`

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
