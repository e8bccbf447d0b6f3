/**
 * Whether this machine lets proofs make sandboxes. The gate has no test that needs one: it passes
 * with and without bubblewrap.
 */

import { machineOf } from '../../src/hosts/node/machine.ts'
import { openMachineSandbox } from '../../src/hosts/sandbox/open-sandbox.ts'

const machineSandbox = (env: Readonly<Record<string, string | undefined>> = process.env) =>
  openMachineSandbox({ hidden: [process.cwd()], has: machineOf(env, new Map()).has })

const tried = await machineSandbox()

/** The reason why there are no sandboxes; undefined where they work. CI may skip nothing. */
export const noSandbox = tried.ok || process.env.CI ? undefined : tried.error
