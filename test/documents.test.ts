/**
 * Documents are held to the code: every rule, promise, law, fault and finding that one of them
 * names exists in the other, links lead somewhere, and no comment cites what is not here.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from './sim/faults/faults.ts'

const ROOT = resolve(import.meta.dirname, '..')
const ITSELF = relative(ROOT, import.meta.filename)
/** These read such a document as data where it lies beside the repository. */
const READERS = [ITSELF, 'test/acceptance.test.ts', 'test/tools/acceptance.ts']

interface Text {
  readonly path: string
  readonly text: string
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

function files(folder: string, ending: RegExp): Text[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && ending.test(one.name))
    .map((one) => relative(ROOT, join(one.parentPath, one.name)))
    .filter((path) => !/node_modules|fixtures|\.generated/.test(path))
    .map((path) => ({ path, text: read(path) }))
}

const code = ['src', 'test', 'examples', 'infra'].flatMap((one) =>
  files(one, /\.(?:ts|json|toml)$/),
)
const documents = [
  ...readdirSync(ROOT).flatMap((path) =>
    path.endsWith('.md') ? [{ path, text: read(path) }] : [],
  ),
  ...['src', 'test', 'infra', 'docs', '.github'].flatMap((one) => files(one, /\.md$/)),
]
const PROTOCOL = read('src/engine/PROTOCOL.md')
const LAWS = read('test/sim/LAWS.md')
const POLICY = read('src/core/config/POLICY.md')

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? match[0])
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

/** Numbers that are cited by this word, also in lists and over the end of a comment's line. */
function cited(word: string, { text }: Text): string[] {
  const joined = text.replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' ')
  const pattern = new RegExp(`\\b${word}s? (\\d+[a-z]?\\b(?:(?:, | and |–)\\d+[a-z]?\\b)*)`, 'gi')
  return all(joined, pattern).flatMap((list) => list.split(/, | and |–/))
}

describe('PROTOCOL.md', () => {
  for (const [word, marks] of [
    ['rule', /^\*\*Rule (\d+[a-z]?)\.\*\*/gm],
    ['promise', /^- \*\*Promise (\d+)\.\*\*/gm],
  ] as const) {
    const known = all(PROTOCOL, marks)
    it(`contains every cited ${word} exactly once`, () => {
      expect(known.length).toBeGreaterThan(9)
      expect(known).toEqual([...new Set(known)])
      const cites = [...code, ...documents].flatMap((one) =>
        cited(word, one).map((number) => [one.path, number] as const),
      )
      expect(cites.length).toBeGreaterThan(9)
      const lost = cites.filter(([path, number]) => path !== ITSELF && !known.includes(number))
      expect(lost).toEqual([])
    })
  }
})

describe('LAWS.md', () => {
  it('describes each law of the simulator in a sentence, and no other law', () => {
    const laws = files('test/sim', /\.ts$/).flatMap(({ text }) => all(text, /\bI\d+_\w+/g))
    expect(sorted(all(LAWS, /^- `(I\d+_\w+)` [A-Z].*\.$/gm))).toEqual(sorted(laws))
  })

  it('lists each fault, and no other', () => {
    const faults = all(LAWS.split('## Hosts')[0]!, /^\| `([a-z ]+)` \|/gm)
    expect(sorted(faults)).toEqual(sorted(FAULT_KINDS))
  })

  it('contains the webhook rows that test names cite', () => {
    const rows = Object.keys(JSON.parse(read('test/acceptance.json')) as object)
    const webhooks = rows.filter((id) => /^W[SR]\d/.test(id))
    expect(sorted(all(LAWS, /^\| (W[SR]\d+) \|/gm))).toEqual(sorted(webhooks))
  })
})

describe('POLICY.md', () => {
  it('names every finding about a file', () => {
    const finding = /\b(?:note|warning|error|warn)\(\s*'([a-z]\w+)'/g
    const codes = sorted(
      files('src/core/config', /\.ts$/).flatMap(({ text }) => all(text, finding)),
    )
    expect(codes.length).toBeGreaterThan(50)
    expect(codes.filter((one) => !POLICY.includes(`\`${one}\``))).toEqual([])
  })
})

describe('docs/decisions', () => {
  const decisions = files('docs/decisions', /^\d{3}-.*\.md$/).sort((one, other) =>
    one.path < other.path ? -1 : 1,
  )
  const numberIn = (path: string): number => Number(/(\d{3})-/.exec(path)![1])

  it('are numbered without gaps, in file name and title', () => {
    const numbers = decisions.map(({ path }) => numberIn(path))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    const wrong = decisions.filter(
      ({ path, text }) => !new RegExp(`^# ${numberIn(path)}\\. `, 'm').test(text),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it('have a status, and name the later decision that supersedes them', () => {
    const status = /^---\nstatus: (accepted(?:; .*)?|superseded by \d+)\n---\n/
    expect(decisions.filter(({ text }) => !status.test(text)).map(({ path }) => path)).toEqual([])
    for (const { path, text } of decisions) {
      const [, by] = /^status: superseded by (\d+)$/m.exec(text) ?? []
      if (by === undefined) continue
      expect(Number(by), path).toBeGreaterThan(numberIn(path))
      expect(Number(by), path).toBeLessThanOrEqual(decisions.length)
    }
  })

  it('have at most three sentences', () => {
    const long = decisions.filter(({ text }) => {
      const body = text
        .split(/^# .*$/m)[1]!
        .replace(/`[^`]*`/g, 'X')
        .replaceAll('\n', ' ')
      return body.trim().split(/[.!?] (?=[A-Z])/).length > 3
    })
    expect(long.map(({ path }) => path)).toEqual([])
  })
})

describe('documents', () => {
  it('have one title each, and no dead links', () => {
    const wrong = documents.flatMap(({ path, text }) => {
      const plain = text.replace(/```[\s\S]*?```/g, '')
      const titles = all(plain, /^# /gm).length
      const links = all(plain, /\]\(([^)#:]+)(?:#[^)]*)?\)/g)
      const lost = links.filter((to) => !existsSync(join(ROOT, dirname(path), to)))
      return titles === 1 && lost.length === 0 ? [] : [`${path}: ${titles} titles, ${lost}`]
    })
    expect(wrong).toEqual([])
  })

  it('cite only paths that exist', () => {
    const whole = /`((?:src|test|docs|infra|examples)\/[\w./-]*[\w/])`/g
    const ends = /`([\w.-]+\/[\w./-]+\.ts)`/g
    const paths = [...code, ...documents].map(({ path }) => `/${path}`)
    const exists = (to: string): boolean =>
      existsSync(join(ROOT, to)) || paths.some((path) => path.endsWith(`/${to}`))
    // Written by `npm run prove`, and absent until the first proof.
    const absent = ['test/proofs.json']
    const cited = documents.flatMap(({ path, text }) =>
      [...all(text, whole), ...all(text, ends)]
        .filter((to) => !/NNN|NAME/.test(to) && !exists(to) && !absent.includes(to))
        .map((to) => `${path}: ${to}`),
    )
    expect(cited).toEqual([])
  })

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
    const named = [...code, ...documents].flatMap(({ path, text }) =>
      all(text, /\bnpm run (?:-s )?([a-z][\w:-]*\w)(?![\w:])/g).map(
        (name) => [path, name] as const,
      ),
    )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter(([, name]) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('contain no sentence that begins with a riddle instead of an actor', () => {
    const ours = documents.filter(({ path }) => !/^(?:README|CHANGELOG|infra)/.test(path))
    const riddles = ours.flatMap(({ path, text }) =>
      all(text, /(?:^|[.!?|:-] +)((?:What|Whoever)\b[^\n]{0,40})/gm).map(
        (found) => `${path}: ${found}`,
      ),
    )
    expect(riddles).toEqual([])
  })

  it('stay within their length limits', () => {
    const words = (path: string): number => read(path).split(/\s+/).length
    expect(words('ARCHITECTURE.md')).toBeLessThanOrEqual(1_800)
    expect(words('CONTRIBUTING.md')).toBeLessThanOrEqual(1_000)
    expect(read('AGENTS.md').split('\n').length).toBeLessThanOrEqual(41)
  })

  it('are cited only when they exist in this repository', () => {
    const names = new Set(documents.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
    const comment = /(?:^|\s)(?:\/?\*|\/\/|#)[^\n]*?\b([\w-]+\.md)\b/gm
    const example = /^(?:SKILL|[Ss]kill|SKILL-|README|[a-z]{1,6}|CLAUDE|MEMORY)\.md$/
    const lost = code
      .filter(({ path }) => /^(?:src|infra)\//.test(path) || path.startsWith('test/sim/'))
      .flatMap(({ path, text }) =>
        all(text, comment)
          .filter((name) => !names.has(name) && !example.test(name))
          .map((name) => `${path}: ${name}`),
      )
    expect(lost).toEqual([])
    const foreign =
      /\bDESIGN\b|\b(?:protocol|failure-model|loader-policy|house|structure|style)\.md\b/
    const outside = [...code, ...documents].filter(
      ({ path, text }) => !READERS.includes(path) && foreign.test(text),
    )
    expect(outside.map(({ path }) => path)).toEqual([])
  })
})
