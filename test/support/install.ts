/** Packages that only one suite needs: each has a folder of its own, installed when first needed. */

import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * The `node_modules` of this folder's package, as its lock file says; installed anew when the lock
 * has changed since. Throws with what npm said.
 */
export function installed(folder: string): string {
  const modules = join(folder, 'node_modules')
  // npm writes it last, so an install that was interrupted does not count.
  const done = changedMs(join(modules, '.package-lock.json'))
  if (done > changedMs(join(folder, 'package-lock.json'))) return modules
  console.error(`npm ci in ${folder}, which is needed for the first time or has changed`)
  const { status, error, stderr } = spawnSync('npm', ['ci'], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci in ${folder} failed:\n${error?.message ?? stderr}`)
  return modules
}
