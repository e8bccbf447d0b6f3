/**
 * Tools that agent files name and that nobody has built here. An author who builds one gives it a
 * file of its own and takes it out of this list; until then people and models read why it is
 * missing.
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
