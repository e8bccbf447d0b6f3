/** Whether this machine lets a test make sandboxes. Where it does not, tests show the refusal. */

import { openRealHands } from '../../src/hosts/hands/open-sandbox.ts'
import { machineOf } from '../../src/hosts/node/machine.ts'

const realHands = (env: Readonly<Record<string, string | undefined>> = process.env) =>
  openRealHands({ hidden: [process.cwd()], has: machineOf(env, new Map()).has })

const tried = await realHands()

/** Undefined: sandboxes work here. CI has no excuse: there it installs what they need. */
export const noSandbox = tried.ok || process.env.CI ? undefined : tried.error
