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
    'cli',
  ],
]
export const floorOf = (path: string): number => FLOORS.indexOf(path.split('/')[1]!)

/** Imports of a higher floor. */
export const upward = (src: readonly Source[]): string[] =>
  src.flatMap(({ path, imports }) =>
    imports.filter((to) => floorOf(to) > floorOf(path)).map((to) => `${path} → ${to}`),
  )

/** Circles of files, and of rooms of the engine. */
export function circles(src: readonly Source[]): string[] {
  const files = new Map(src.map(({ path, imports }) => [path, imports]))
  const room = (path: string): string | undefined => /^src\/engine\/([^/]+)/.exec(path)?.[1]
  const rooms = new Map<string, string[]>()
  for (const { path, imports } of src) {
    const from = room(path)
    if (from === undefined) continue
    const to = imports.flatMap((one) => room(one) ?? []).filter((one) => one !== from)
    rooms.set(from, [...(rooms.get(from) ?? []), ...to])
  }
  return [...circlesOf(files), ...circlesOf(rooms)]
}

function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
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
