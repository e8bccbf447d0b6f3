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
  | 'a container builder'

const BUILDERS = ['docker', 'podman', 'buildah']
const ANSWER_MS = 10_000

/** Returns the requirements that are not met, each as a clause. */
export async function unmetNeeds(needs: readonly Need[]): Promise<readonly string[]> {
  const reasons = await Promise.all(needs.map(reasonUnmet))
  return reasons.filter((reason) => reason !== undefined)
}

async function reasonUnmet(need: Need): Promise<string | undefined> {
  switch (need) {
    case 'registry':
      return (await registryAnswers()) ? undefined : 'the npm registry does not answer'
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

async function registryAnswers(): Promise<boolean> {
  const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/'
  try {
    await fetch(new URL('-/ping', registry), { signal: AbortSignal.timeout(ANSWER_MS) })
    return true
  } catch {
    return false
  }
}
