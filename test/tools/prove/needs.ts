/** Requirements of proofs that a machine may not meet. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT } from './guarded.ts'

export type Need =
  | 'registry'
  | 'history'
  | 'java'
  | 'radosgw'
  | 'promtool'
  | 'bwrap'
  | 'chromium'
  | 'a container builder'

const BUILDERS = ['docker', 'podman', 'buildah']
const ANSWER_MS = 10_000
const PING_MS = 2 * ANSWER_MS

/** Returns the requirements that are not met, each as a clause. */
export function unmetNeeds(needs: readonly Need[]): readonly string[] {
  const reasons = needs.map(reasonUnmet)
  return reasons.filter((reason) => reason !== undefined)
}

function reasonUnmet(need: Need): string | undefined {
  switch (need) {
    case 'registry':
      return registryAnswers() ? undefined : 'the npm registry does not answer'
    case 'history':
      return existsSync(join(ROOT, '.git/shallow')) ? 'this clone has no history' : undefined
    case 'a container builder':
      return BUILDERS.some(answers) ? undefined : 'there is no container builder'
    default:
      return isInstalled(need) ? undefined : `${need} is not installed`
  }
}

/** Returns whether a builder works; a client without its daemon does not. */
const answers = (builder: string): boolean =>
  isInstalled(builder) && spawnSync(builder, ['info'], { stdio: 'ignore' }).status === 0

const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** Asks npm, which knows the registry of its configuration. */
function registryAnswers(): boolean {
  const args = ['ping', '--fetch-retries=0', `--fetch-timeout=${ANSWER_MS}`]
  return spawnSync('npm', args, { stdio: 'ignore', timeout: PING_MS }).status === 0
}
