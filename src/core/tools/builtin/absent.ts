/**
 * Tools that agent files name and that nobody has built here. An author who builds one gives it a
 * file of its own and takes it out of this list; until then people and models read why it is
 * missing.
 */

import type { AbsentTool } from './tool.ts'

/** Why, where no more can be said than that there is none. */
export const NOT_HERE = 'this host does not have it'

export const ABSENT: readonly AbsentTool[] = [
  {
    name: 'web_fetch',
    foreign: 'WebFetch fetch web/fetch openSimpleBrowser web',
    user_facing: 2,
    lack: NOT_HERE,
  },
  {
    name: 'web_search',
    foreign: 'WebSearch web/githubRepo githubRepo web',
    user_facing: 1,
    lack: 'no search provider is configured',
  },
  { name: 'memory_search', lack: NOT_HERE },
  { name: 'memory_get', lack: NOT_HERE },
  { name: 'memory_write', lack: NOT_HERE },
  { name: 'schedule_wakeup', lack: NOT_HERE },
  {
    name: 'shell_execute',
    foreign:
      'Bash PowerShell BashOutput KillShell KillBash Monitor shell exec_command write_stdin ' +
      'execute exec runCommands runInTerminal terminalLastCommand run_shell_command terminal ' +
      'execute/runInTerminal execute/getTerminalOutput runCommands/runInTerminal',
    lack: 'this host runs no shell commands',
  },
  {
    name: 'diagnostics',
    foreign: 'LSP problems testFailure runTests read/problems execute/runTests',
    lack: NOT_HERE,
  },
]
