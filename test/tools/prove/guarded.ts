/**
 * Hashes of the files that proofs guard. A hash covers contents, not paths. In TypeScript it ignores
 * comments, layout, the order of imports, and the folders in their specifiers, so that a move or a
 * better comment does not make a proof due. Markdown is documentation and does not count; other files
 * count byte by byte.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { tokens } from '../../sim/planting/tokens.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')

/** Returns the paths of all files that git tracks or would add. */
export function pathsOfTree(root = ROOT): readonly string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return [...new Set(listed.split('\0'))].filter(
    (path) => path !== '' && existsSync(join(root, path)),
  )
}

/** Returns whether `guard` names the file or a folder above it. */
const isGuarded = (path: string, guard: string): boolean =>
  path === guard || path.startsWith(`${guard}/`)

/** Computes hashes of a tree, each file at most once. */
export class Contents {
  readonly #paths: readonly string[]
  readonly #root: string
  readonly #hashes = new Map<string, string>()

  constructor(root = ROOT) {
    this.#root = root
    this.#paths = pathsOfTree(root)
  }

  /** Returns the hash of all files below the guards: 16 hexadecimal digits. */
  hash(guards: readonly string[]): string {
    const guarded = this.#paths
      .filter((path) => !path.endsWith('.md'))
      .filter((path) => guards.some((guard) => isGuarded(path, guard)))
    const hashes = guarded.map((path) => this.#hashOf(path)).sort()
    return digest(hashes.join('\n')).slice(0, 16)
  }

  /** Returns the guards that match no file. */
  missing(guards: readonly string[]): string[] {
    return guards.filter((guard) => !this.#paths.some((path) => isGuarded(path, guard)))
  }

  #hashOf(path: string): string {
    const known = this.#hashes.get(path)
    if (known !== undefined) return known
    const content = readFileSync(join(this.#root, path))
    const hash = digest(path.endsWith('.ts') ? programOf(content.toString()) : content)
    this.#hashes.set(path, hash)
    return hash
  }
}

const digest = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')

const IMPORT = /^(?:import|export)\b[^'"`;]*?\bfrom\s*'[^']+'|^import\s*'[^']+'/gm
const RELATIVE = /'\.{1,2}\/(?:[^'\n]*\/)?([^'/\n]+\.\w+)'/g

/** Returns a program without comments and layout, its imports sorted and without folders. */
export function programOf(text: string): string {
  const flat = text.replaceAll(RELATIVE, "'$1'")
  const imports = (flat.match(IMPORT) ?? []).map(compact).sort()
  return [...imports, compact(flat.replaceAll(IMPORT, ''))].join('\n')
}

function compact(text: string): string {
  try {
    return tokens(text)
      .map((token) => token.text)
      .join(' ')
  } catch {
    // The tokenizer does not read this file, so its layout counts.
    return text
  }
}
