/**
 * Tools that agent files name but that are not built in. To build one, give it a file of its own
 * and remove it here; until then people and models read why it is missing.
 */

import type { AbsentTool } from './tool.ts'

/** Why, where no more can be said than that there is none. */
export const NOT_HERE = 'this platform does not support it'

export const ABSENT: readonly AbsentTool[] = [
  {
    name: 'diagnostics',
    foreign: 'LSP problems testFailure runTests read/problems execute/runTests',
    lack: NOT_HERE,
  },
]
