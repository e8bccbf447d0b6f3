/**
 * Plants bugs: sources are changed as they are loaded, in this process only, whether Node loads
 * them or vitest. A patch whose text is no longer there fails loudly under the name of its bug, so
 * the lists of bugs follow the code.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declares, nameOf, type Patch, patched, type Source, sourceOf } from './patch.ts'

/** What is planted together, under the name by which it is known. */
export interface Planting {
  readonly name: string
  readonly patches: readonly Patch[]
}

const ROOT = resolve(import.meta.dirname, '../../..')
/** Where bugs may be planted: the service, and the world that the simulator gives it. */
const FOLDERS = ['src', 'test/sim/world']

/** Texts of sources by their paths. */
export type Sources = ReadonlyMap<string, string>

let read: Sources | undefined
export function sources(): Sources {
  read ??= new Map(FOLDERS.flatMap(textsOf))
  return read
}

/** What is known of sources, because hundreds of patches ask for the same ones. */
interface Known {
  readonly read: Map<string, Source>
  /** Paths of the files that contain a name. */
  readonly naming: Map<string, readonly string[]>
}
const known = new WeakMap<Sources, Known>()

function knownOf(all: Sources): Known {
  const found = known.get(all) ?? { read: new Map(), naming: new Map() }
  known.set(all, found)
  return found
}

function readOf(path: string, all: Sources): Source {
  const { read } = knownOf(all)
  const source = read.get(path) ?? sourceOf(all.get(path)!)
  read.set(path, source)
  return source
}

function pathsNaming(name: string, all: Sources): readonly string[] {
  const { naming } = knownOf(all)
  const found =
    naming.get(name) ?? [...all].filter(([, text]) => text.includes(name)).map(([path]) => path)
  naming.set(name, found)
  return found
}

const textsOf = (folder: string): [string, string][] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(ROOT, folder, name))
    .map((path) => [path, readFileSync(path, 'utf8')])

/** Sources as they are with the bug, by their paths; throws when it cannot be planted. */
export function planted({ name, patches }: Planting, all: Sources = sources()): Sources {
  try {
    const byPath = Map.groupBy(patches, (patch) => pathOf(patch, all))
    return new Map([...byPath].map(([path, list]) => [path, patched(readOf(path, all), list)]))
  } catch (error) {
    throw new Error(`cannot plant "${name}": ${(error as Error).message}`)
  }
}

/** The one file that declares what the patch changes. */
function pathOf(patch: Patch, all: Sources): string {
  const { file, name } = nameOf(patch)
  const found = pathsNaming(name.slice(name.indexOf('.') + 1), all)
    .filter((path) => file === undefined || path.endsWith(`/${file}.ts`))
    .filter((path) => declares(readOf(path, all), name))
  const [only, ...others] = found
  if (only === undefined) throw new Error(`${patch.inside} is declared nowhere`)
  if (others.length === 0) return only
  const places = found.map((path) => relative(ROOT, path)).join(', ')
  const example = `${basename(only, '.ts')}:${name}`
  throw new Error(`${patch.inside} is declared in ${places}: name the file too, as in ${example}`)
}

/** From now on, whatever Node loads. */
export function plantInNode(planting: Planting): void {
  const changed = planted(planting)
  registerHooks({
    load(url, context, next) {
      const source = url.startsWith('file:') ? changed.get(fileURLToPath(url)) : undefined
      const loaded = next(url, context)
      return source === undefined ? loaded : { ...loaded, source }
    },
  })
}

/** The variable that carries a planting to the processes of vitest. */
export const PLANTED = 'STRATA_PLANTED'

/** Whatever vitest loads; without a planting in the environment nothing is changed. */
export function plantInVitest() {
  const given = process.env[PLANTED]
  const changed = given === undefined ? undefined : planted(JSON.parse(given) as Planting)
  return {
    name: 'planted-bugs',
    enforce: 'pre' as const,
    transform: (_code: string, id: string): string | undefined => changed?.get(id.split('?')[0]!),
  }
}
