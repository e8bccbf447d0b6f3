/**
 * The shape of the code, as a test: imports point down only, the core has no clock, chance or I/O,
 * files stay short enough for one sitting. Function length is the linter's (biome.json).
 */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  /** Paths of our own files that it imports. */
  readonly imports: readonly string[]
}

function sources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .filter(({ parentPath }) => !parentPath.includes('node_modules'))
    .map((entry) => {
      const path = relative(ROOT, join(entry.parentPath, entry.name))
      const text = readFileSync(join(ROOT, path), 'utf8')
      return { path, text, lines: text.split('\n'), imports: importsOf(path, text) }
    })
}

function importsOf(path: string, text: string): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
  return found.map(([, to]) => relative(ROOT, resolve(ROOT, dirname(path), to!)))
}

const src = sources('src')
const tests = sources('test')
const FLOORS = ['lib', 'core', 'ports', 'engine', 'http', 'hosts', 'cli']
/** What hosts share. */
const SHELVES = new Set(['sql', 'shared', 'models', 'mcp', 'outbound'])
const floorOf = (path: string): number => FLOORS.indexOf(path.split('/')[1]!)

/** A word in code, not in a comment or a text. */
function code(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, '``')
    .replace(/(^|[^:])\/\/.*$/gm, '$1')
}

describe('floors', () => {
  it('every file stands on a floor', () => {
    expect(src.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path)).toEqual([])
  })

  it('imports point down only', () => {
    const upward = src.flatMap(({ path, imports }) =>
      imports.filter((to) => floorOf(to) > floorOf(path)).map((to) => `${path} → ${to}`),
    )
    // The ports name shapes of the core, and the core never names a port.
    expect(upward).toEqual([])
  })

  it('wings of hosts never import one another; what they share lies on shelves', () => {
    const wing = (path: string): string | undefined => /^src\/hosts\/([^/]+)\//.exec(path)?.[1]
    const across = src.flatMap(({ path, imports }) => {
      const own = wing(path)
      if (own === undefined) return []
      const wrong = imports.filter((to) => {
        const other = wing(to)
        return other !== undefined && other !== own && !SHELVES.has(other)
      })
      return wrong.map((to) => `${path} → ${to}`)
    })
    expect(across).toEqual([])
  })

  it('rooms of the engine import one another without a cycle', () => {
    const room = (path: string): string | undefined => /^src\/engine\/([^/]+)/.exec(path)?.[1]
    const below = new Map<string, Set<string>>()
    for (const { path, imports } of src) {
      const from = room(path)
      if (from === undefined) continue
      const rooms = imports.flatMap((to) => room(to) ?? []).filter((to) => to !== from)
      below.set(from, new Set([...(below.get(from) ?? []), ...rooms]))
    }
    const cycles: string[] = []
    const visit = (at: string, trail: readonly string[]): void => {
      if (trail.includes(at)) cycles.push([...trail, at].join(' → '))
      else for (const to of below.get(at) ?? []) visit(to, [...trail, at])
    }
    for (const at of below.keys()) visit(at, [])
    expect(cycles).toEqual([])
  })

  it('there is no cycle of imports, those of types counted', () => {
    const byPath = new Map(src.map((one) => [one.path, one]))
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
        return
      }
      if (done.has(path)) return
      for (const to of byPath.get(path)?.imports ?? []) visit(to, [...trail, path])
      done.add(path)
    }
    for (const { path } of src) visit(path, [])
    expect(cycles).toEqual([])
  })
})

const CORE_WORDS =
  /\b(Date|Math\.random|randomUUID|process|setTimeout|setInterval|fetch\(|async|await|Promise)\b/
const ENGINE_WORDS =
  /\b(Date|Math\.random|randomUUID|process|setTimeout|setInterval|setImmediate|queueMicrotask)\b|(?<![.\w])fetch\(/

/** The TOML parser makes Dates of its own; these two files ask whether it did. */
const DATES = { 'src/core/config/server/file.ts': true, 'src/core/config/toml/parse.ts': true }

describe('what a floor may not name', () => {
  it('core: no clock, no chance, no I/O, nothing asynchronous', () => {
    const found = src
      .filter(({ path }) => path.startsWith('src/core/') && !(path in DATES))
      .filter(({ text }) => CORE_WORDS.test(code(text)))
    expect(found.map(({ path, text }) => `${path}: ${CORE_WORDS.exec(code(text))?.[0]}`)).toEqual(
      [],
    )
  })

  it('engine and http: time, chance and the network enter through the world', () => {
    const found = src
      .filter(({ path }) => /^src\/(engine|http)\//.test(path))
      .filter(({ text }) => ENGINE_WORDS.test(code(text)))
    expect(found.map(({ path, text }) => `${path}: ${ENGINE_WORDS.exec(code(text))?.[0]}`)).toEqual(
      [],
    )
  })
})

/** Longer than 300 lines, each with the reason. */
const LONG: Readonly<Record<string, string>> = {}

describe('files', () => {
  it('have at most 300 lines', () => {
    const long = src.filter(({ path, lines }) => lines.length > 301 && !(path in LONG))
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([])
  })

  it('of tests, which are one topic each, have at most 800 lines', () => {
    expect(tests.length).toBeGreaterThan(0)
    const long = tests.filter(({ lines }) => lines.length > 801)
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([])
  })

  it('have lines of at most 100 columns', () => {
    const wide = src.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        // A template or a regular expression cannot be broken without changing what it says.
        line.length > 100 && !/`|^ *\/\S|biome-ignore/.test(line) && !isProse(path)
          ? [`${path}:${index + 1}`]
          : [],
      ),
    )
    expect(wide).toEqual([])
  })

  it('open with a sentence that says what they are for', () => {
    const bare = src.filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text))
    expect(bare.map(({ path }) => path)).toEqual([])
  })

  it('are used', () => {
    const entries = ['src/cli/strata.ts', 'src/hosts/lambda-entry.ts', 'src/hosts/worker.ts']
    const byPath = new Map(src.map((one) => [one.path, one]))
    const reached = new Set<string>()
    const visit = (path: string): void => {
      if (reached.has(path)) return
      reached.add(path)
      for (const to of byPath.get(path)?.imports ?? []) visit(to)
    }
    for (const path of entries) visit(path)
    // The memory host is the reference implementation, which tests and the simulator run on.
    const unused = src.filter(
      ({ path }) => !reached.has(path) && !path.startsWith('src/hosts/memory/'),
    )
    expect(unused.map(({ path }) => path)).toEqual([])
  })

  it('hold no unfinished marks', () => {
    const marked = src.filter(({ text }) => /\b(TODO|FIXME|XXX)\b/.test(text))
    expect(marked.map(({ path }) => path)).toEqual([])
  })
})

/** Prompts and descriptions for models: texts, whose lines are sentences. */
const isProse = (path: string): boolean =>
  path.startsWith('src/core/builtin/') ||
  path === 'src/core/prompt.ts' ||
  path === 'src/core/config/agent/tool-names.ts'

describe('documents', () => {
  it('have exactly one title', () => {
    const documents = readdirSync(ROOT).filter((name) => name.endsWith('.md'))
    const titles = documents.map((name) => {
      const text = readFileSync(join(ROOT, name), 'utf8').replace(/```[\s\S]*?```/g, '')
      return [name, (text.match(/^# /gm) ?? []).length]
    })
    expect(titles.filter(([, count]) => count !== 1)).toEqual([])
  })
})

describe('the lock file', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>
  }

  it('is whole: every optional dependency has an entry of its own', () => {
    const names = Object.keys(lock.packages)
    const missing = Object.values(lock.packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !names.some((path) => path.endsWith(`node_modules/${name}`)))
    expect(missing).toEqual([])
  })

  it('names no registry host', () => {
    const named = Object.values(lock.packages).filter(({ resolved }) =>
      /^http/.test(resolved ?? ''),
    )
    expect(named).toEqual([])
  })

  it('goes with exact versions in package.json', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    )
    expect(loose).toEqual([])
  })
})
