/**
 * Tools that agent files name but that are not built in. To implement one, create its file and
 * remove the entry here. Until then, the entry explains to people and models why it is missing.
 */

import type { AbsentTool } from './tool.ts'

/** Default reason for a missing tool. */
export const NOT_HERE = 'this platform does not support it'

export const ABSENT: readonly AbsentTool[] = [
  {
    name: 'diagnostics',
    foreign: 'LSP problems testFailure runTests read/problems execute/runTests',
    lack: NOT_HERE,
  },
]
