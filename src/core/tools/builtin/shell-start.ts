/** `shell_start`: starts a shell process that runs while the model continues with other work. */

import { LIMITS } from '../../limits.ts'
import { shellExecute } from './shell-execute.ts'
import { type BuiltinTool, object, text } from './tool.ts'

/** Reason why a machine that runs commands may not support processes that outlive a tool call. */
export const SEVERAL_SERVERS =
  "long-running processes require exclusive storage; a run's next call may reach " +
  'another server'

/**
 * Conditions for offering the process tools: together with the command tool, if commands run on a
 * machine.
 */
export const ALONG = {
  with: shellExecute.name,
  otherwise: `it requires ${shellExecute.name}, which this run does not have`,
} as const

export const shellStart = {
  name: 'shell_start',
  mode: 'once',
  thing: 'files',
  matched: 'command',
  asks: true,
  offered: ALONG,
  description:
    'Starts a long-running process (a server, a build, a watcher, an interpreter) in a ' +
    'separate sandbox with a copy of the current working folder, and returns its ' +
    '`shell_id`. Use that ID to read its output, write to it, and kill it; changed files ' +
    'are written back when you read or kill it after it ends. It ends with this run. At ' +
    `most ${LIMITS.shells_per_run} run at once.`,
  input_schema: object({ command: { ...text('The command'), minLength: 1, maxLength: 65_536 } }, [
    'command',
  ]),
} as const satisfies BuiltinTool

/** Parameter shared by the tools for long-running shell processes. */
export const SHELL_ID = text('The returned `shell_id`')
