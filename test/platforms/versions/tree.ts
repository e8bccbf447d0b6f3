/** The program as it was at a commit, in a folder of its own. */

import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Open, temporaryFolder } from '../../support/launch.ts'
import { WrongUse } from '../../support/options.ts'

const HEAD = join(import.meta.dirname, '../../..')

export interface Tree {
  /** The commit, or `this tree`. */
  readonly name: string
  readonly folder: string
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: HEAD, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

export const thisTree = (): Tree => ({ name: 'this tree', folder: HEAD })

/** The newest release before this one; undefined where none is tagged. */
export function lastRelease(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^').trim()
  } catch {
    return undefined
  }
}

const FORMAT = /^export const FORMAT = (\d+)$/m

/** This tree, but for the format that it writes, which no other version knows (rule 36). */
export async function treeOfTomorrow(open: Open): Promise<Tree> {
  const folder = await temporaryFolder(open)
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: HEAD })
  const all = ['-c', '-C', HEAD, '--null', '-T', '-']
  const archive = execFileSync('tar', all, { cwd: HEAD, input: files, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const path = join(folder, 'src/engine/partition/format.ts')
  const text = readFileSync(path, 'utf8')
  const now = FORMAT.exec(text)?.[1]
  writeFileSync(path, text.replace(FORMAT, `export const FORMAT = ${Number(now) + 1}`))
  symlinkSync(join(HEAD, 'node_modules'), join(folder, 'node_modules'))
  return { name: `this tree with format ${Number(now) + 1}`, folder }
}

/** The program of a commit, to be run. */
export async function treeOf(ref: string, open: Open): Promise<Tree> {
  const { commit, folder } = await checkout(ref, open)
  return { name: commit.slice(0, 9), folder }
}

/**
 * Unpacks a commit. Its packages are those of this tree where the lock file is the same, else they
 * are installed. Throws `WrongUse` for what is no commit.
 */
export async function checkout(
  ref: string,
  open: Open,
): Promise<{ readonly commit: string; readonly folder: string }> {
  let commit: string
  try {
    commit = git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).trim()
  } catch {
    throw new WrongUse(`${ref} is no commit of this clone`)
  }
  const folder = await temporaryFolder(open)
  const archive = execFileSync('git', ['archive', commit], { cwd: HEAD, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const lock = (at: string): string => readFileSync(join(at, 'package-lock.json'), 'utf8')
  if (lock(folder) === lock(HEAD))
    symlinkSync(join(HEAD, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--silent'], { cwd: folder, stdio: 'inherit' })
  return { commit, folder }
}
