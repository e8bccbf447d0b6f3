/** The sources as a graph of imports: floors, rooms, circles. Used by the tidy test and the tour. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

export interface Source {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  /** Paths of our own files that it imports, those of types counted. */
  readonly imports: readonly string[]
}

export function sources(folder: string): Source[] {
  return (
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .filter(({ parentPath }) => !/node_modules|\.generated/.test(parentPath))
      // Generated from openapi.yaml.
      .filter(({ name }) => name !== 'contract.ts')
      .map((entry) => {
        const path = relative(ROOT, join(entry.parentPath, entry.name))
        const text = readFileSync(join(ROOT, path), 'utf8')
        return { path, text, lines: text.split('\n'), imports: importsOf(path, text) }
      })
  )
}

function importsOf(path: string, text: string): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
  return found.map(([, to]) => relative(ROOT, resolve(ROOT, dirname(path), to!)))
}

/** The lowest first. */
const FLOORS = [
  ...[
    'lib',
    'core',
    'ports',
    'engine',
    'http',
    'webhooks',
    'hosts',
    'client',
    'console',
    'testing',
  ],
  'cli',
]
export const floorOf = (path: string): number => FLOORS.indexOf(path.split('/')[1]!)

/** Imports of a higher floor. */
export const upward = (src: readonly Source[]): string[] =>
  src.flatMap(({ path, imports }) =>
    imports.filter((to) => floorOf(to) > floorOf(path)).map((to) => `${path} → ${to}`),
  )

/** Folders whose entries, files and folders, import one another in one direction only. */
export const LAYERED = [
  'src/core/run',
  'src/engine',
  'src/engine/run/effects',
  'src/hosts/cloudflare',
]

/** The imports between the entries of a folder. */
function entriesOf(src: readonly Source[], folder: string): Map<string, Set<string>> {
  const entryOf = (path: string): string | undefined =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined
  const entries = new Map<string, Set<string>>()
  for (const { path, imports } of src) {
    const from = entryOf(path)
    if (from === undefined) continue
    const others = imports.map(entryOf).filter((to) => to !== undefined && to !== from)
    entries.set(from, new Set([...(entries.get(from) ?? []), ...(others as string[])]))
  }
  return entries
}

/** Counts the entries of a folder, the imports between them, and the longest chain of those. */
export function shapeOf(src: readonly Source[], folder: string) {
  const entries = entriesOf(src, folder)
  const depths = new Map<string, number>()
  const depthOf = (entry: string): number => {
    const known = depths.get(entry)
    if (known !== undefined) return known
    depths.set(entry, 0)
    const depth = 1 + Math.max(0, ...[...(entries.get(entry) ?? [])].map(depthOf))
    depths.set(entry, depth)
    return depth
  }
  const levels = Math.max(...[...entries.keys()].map(depthOf))
  const imports = [...entries.values()].reduce((sum, to) => sum + to.size, 0)
  return { entries: entries.size, levels, imports }
}

/** Circles of files, and of the entries of layered folders. */
export function circles(src: readonly Source[]): string[] {
  const files = new Map(src.map(({ path, imports }) => [path, imports]))
  const folders = LAYERED.map((folder) => entriesOf(src, folder))
  return [files, ...folders].flatMap(circlesOf)
}

function circlesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const visit = (at: string, trail: readonly string[]): void => {
    if (trail.includes(at)) found.push([...trail.slice(trail.indexOf(at)), at].join(' → '))
    if (trail.includes(at) || done.has(at)) return
    for (const to of graph.get(at) ?? []) visit(to, [...trail, at])
    done.add(at)
  }
  for (const at of graph.keys()) visit(at, [])
  return found
}

/** The rooms that src/README.md names, in its order. */
export const roomsOf = (readme: string): { readonly room: string; readonly says: string }[] =>
  [...readme.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, room = '', says = '']) => {
    return { room, says }
  })
