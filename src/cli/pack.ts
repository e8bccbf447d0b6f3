/**
 * Pack on disk: a folder of layers (`base/`, `roles/<role>/`, `repos/<name>/`) or a single layer,
 * with its tests. Files excluded from a push are excluded here too.
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { LIMITS } from '../core/limits.ts'
import { keyPath } from '../lib/key.ts'
import { readFolder, readStart } from './folder.ts'
import { leftOut } from './ignore-rules.ts'
import type { Print } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

export interface Pack {
  readonly tests: readonly TestSource[]
  /**
   * Reads the pack's files and returns their contents by bucket key. `err` receives the files that
   * no server accepts.
   */
  readonly files: (err: Print) => Readonly<Record<string, Uint8Array>>
}
export interface TestSource {
  /** Path of the test file relative to the working folder. */
  readonly path: string
  /** Test file name without `.md`. */
  readonly stem: string
  readonly text: string
}

const TESTS = 'tests'
const TOPS = ['base', 'roles', 'repos']

/**
 * Reads the pack at `place`: the folder, or one test in its `tests`. Throws `WrongUse` if no pack
 * is found.
 */
export function readPack(place: string): Pack {
  const isTest = place.endsWith('.md') && existsSync(place)
  const dir = isTest ? dirname(dirname(resolve(place))) : place
  if (!isFolder(dir)) throw new WrongUse(`${place} is neither a folder nor a test in a folder`)
  if (isTest && basename(dirname(resolve(place))) !== TESTS)
    throw new WrongUse(`${place} is not in the ${TESTS} folder of a pack`)
  const tests = isTest ? [place] : testsIn(dir)
  return { tests: tests.map(sourceOf), files: (err) => filesOf(dir, err) }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A README documents the tests of the pack and is not a test itself. */
function testsIn(dir: string): string[] {
  const folder = join(dir, TESTS)
  if (!isFolder(folder)) return []
  const names = readFolder(folder).files.filter((path) => /^[^/]+\.md$/.test(path))
  return names.filter((name) => !/^readme\.md$/i.test(name)).map((name) => join(folder, name))
}

const sourceOf = (path: string): TestSource => ({
  path: relative('.', path),
  stem: basename(path, '.md'),
  text: readFileSync(path, 'utf8'),
})

function filesOf(dir: string, err: Print): Record<string, Uint8Array> {
  const layers = TOPS.some((top) => isFolder(join(dir, top))) ? layersIn(dir) : [['', 'base/']]
  return Object.fromEntries(
    layers.flatMap(([below = '', prefix = '']) => filesOfLayer(join(dir, below), prefix, err)),
  )
}

/** Returns the layer folders of a pack with their prefixes. */
function layersIn(dir: string): string[][] {
  const inside = ['roles', 'repos'].flatMap((top) => {
    const { files } = isFolder(join(dir, top)) ? readFolder(join(dir, top)) : { files: [] }
    const names = new Set(
      files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]),
    )
    return [...names].map((name) => `${top}/${name}`)
  })
  const base = isFolder(join(dir, 'base')) ? ['base'] : []
  return [...base, ...inside].map((below) => [below, `${below}/`])
}

function filesOfLayer(dir: string, prefix: string, err: Print): [string, Uint8Array][] {
  const rules = leftOut(dir, [])
  const { files, others: unread } = readFolder(dir, rules.closed)
  for (const { path, why: reason, closed } of unread) {
    if (!closed && rules.ignored(path) === undefined) err(`${prefix}${path}: skipped: ${reason}`)
  }
  return files.flatMap((path) => {
    if (rules.ignored(path) !== undefined || rules.secret(path) !== undefined) return []
    const read = () => readStart(join(dir, path), LIMITS.file_body_bytes + 1)
    if (rules.ofTests(path, read)) return []
    const key = keyPath(prefix + path)
    const bytes = read()
    const large = bytes.length > LIMITS.file_body_bytes
    if (key.ok && !large) return [[prefix + path, bytes] as [string, Uint8Array]]
    err(`${prefix}${path}: skipped: ${key.ok ? 'it is too large for a file' : key.error}`)
    return []
  })
}
