/**
 * Tools that agent files name but that are not built in. To implement a tool, create its file and
 * remove the entry here. Until then, the entry explains to people and models why the tool is
 * missing.
 */

import type { AbsentTool } from './tool.ts'

/** Default reason why a tool is missing. */
export const NOT_HERE = 'this platform does not support it'

export const ABSENT: readonly AbsentTool[] = [
  {
    name: 'diagnostics',
    foreign: 'LSP problems testFailure runTests read/problems execute/runTests',
    lack: NOT_HERE,
  },
]
