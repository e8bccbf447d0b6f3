/** Packages that only one suite needs: each has a folder of its own, installed when first needed. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Packages = Readonly<Record<string, { readonly version?: string; readonly optional?: true }>>

const packagesOf = (lock: string): Packages =>
  (JSON.parse(readFileSync(lock, 'utf8')) as { packages: Packages }).packages

/** npm writes what it has installed last of all: an install that was interrupted does not count. */
function isInstalled(folder: string): boolean {
  const written = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(written)) return false
  const there = packagesOf(written)
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  // Optional ones may be those of other platforms.
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || there[path]?.version === version || (optional && !there[path]),
  )
}

/** Without the options of an npm that runs this: `--prefix` and `--omit=dev` are about its folder. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_(local_prefix|prefix|global_prefix|omit|include)$/i.test(name),
    ),
  )

/**
 * The `node_modules` of this folder's package, with the versions of its lock file; installs them if
 * they are not there. Throws with what npm said.
 */
export function installed(folder: string): string {
  if (!isInstalled(folder)) {
    console.error(`npm ci in ${folder}: its packages are not there, or not in the versions wanted`)
    const options = { cwd: folder, env: ownEnvironment(), encoding: 'utf8' } as const
    const { status, error, stderr } = spawnSync('npm', ['ci'], options)
    if (status !== 0) throw new Error(`npm ci in ${folder} failed:\n${error?.message ?? stderr}`)
  }
  return join(folder, 'node_modules')
}
