/**
 * Whether this machine lets proofs make sandboxes. The gate has no test that needs one: it passes
 * with and without bubblewrap.
 */

import { openRealHands } from '../../src/hosts/hands/open-sandbox.ts'
import { machineOf } from '../../src/hosts/node/machine.ts'

const realHands = (env: Readonly<Record<string, string | undefined>> = process.env) =>
  openRealHands({ hidden: [process.cwd()], has: machineOf(env, new Map()).has })

const tried = await realHands()

/** The reason why there are no sandboxes; undefined where they work. CI may skip nothing. */
export const noSandbox = tried.ok || process.env.CI ? undefined : tried.error
