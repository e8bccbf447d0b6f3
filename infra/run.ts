/** Paths of the tools of this folder, and how its packages are installed. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../src/cli/deploy/run.ts'

export const ROOT = join(import.meta.dirname, '..')
const INFRA = import.meta.dirname

/** The packages of infra/ are its own and large; they come when they are first needed. */
export function installInfra(): void {
  if (!existsSync(join(INFRA, 'node_modules/aws-cdk-lib'))) run('npm', ['ci'], INFRA)
}
