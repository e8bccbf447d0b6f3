/**
 * `node test/tools/acceptance.ts`: brings test/acceptance.json up to date. A row counts as tested when its id
 * stands in a test's name, at best as a tag at its end: `[GC-12]`. Every other row names the part of
 * the work that will bring it, or why it was left out. What is written by hand (`says`, `left_out`) is kept; a new row has no sentence yet.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Source, sources } from '../support/source.ts'

type Standing =
  | { readonly test: string }
  | { readonly open: string }
  | { readonly left_out: string }
/** `says`: what the row guarantees, in a sentence. */
export type Entry = Standing & { readonly says?: string }
export type Acceptance = Readonly<Record<string, Entry>>

const ROOT = resolve(import.meta.dirname, '../..')
export const ACCEPTANCE_FILE = join(ROOT, 'test/acceptance.json')

export const readAcceptance = (): Acceptance =>
  JSON.parse(readFileSync(ACCEPTANCE_FILE, 'utf8')) as Acceptance

const ID = String.raw`(?:[A-Z]{1,4}-\d+[a-c]?|(?:WS|WR|[A-Z])\d{2})`
const IDS = `${ID}(?:[ ,]+${ID})*`
/** Ids at the beginning of a text in quotes: the name of a test, or a key of a table of tests. */
const LEADING = new RegExp(`['"\`](${IDS})(?![\\w-])`, 'g')
/** Ids in brackets at the end of a text in quotes. */
const TRAILING = new RegExp(`\\[(${IDS})\\]['"\`]`, 'g')
/** The name of a test or a suite. */
const NAME =
  /\b(?:it|test|describe)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs
const ANYWHERE = new RegExp(`(?<![\\w-])${ID}(?![\\w-])`, 'g')

/** The ids that the names of a file's tests hold. */
export function idsIn(text: string): Set<string> {
  const inTables = [...text.matchAll(LEADING), ...text.matchAll(TRAILING)].map(([, ids]) => ids!)
  const inNames = [...text.matchAll(NAME)].map(([, , name]) => name!)
  return new Set([...inTables, ...inNames].flatMap((part) => part.match(ANYWHERE) ?? []))
}

/** Every id in the name of a test, and the files that hold it, in the order of paths. */
export function testedIds(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, text } of testFiles()) {
    for (const id of idsIn(text)) found.set(id, [...(found.get(id) ?? []), path])
  }
  return found
}

/** Names of tests and suites that are ids alone. In tables an id stands beside what it means. */
export function bareNames(): string[] {
  const name = new RegExp(String.raw`\(\s*(['"\`])(${ID}(?:[ ,]+${ID})*)(?![\w-])(.*?)\1`, 'gs')
  return testFiles().flatMap((file) =>
    [...file.text.matchAll(name)]
      .filter(([, , , rest]) => !/[a-z]{2}/i.test(rest!))
      .map(([, , ids]) => `${file.path}: ${ids}`),
  )
}

const testFiles = (): readonly Source[] =>
  sources('test')
    // Tables of cases may stand beside the test that runs them.
    .filter(({ path }) => !/^test\/(?:tools|fixtures)\//.test(path))
    .sort((one, other) => (one.path < other.path ? -1 : 1))

/** Which part brings an id that no test names yet. Order matters: the first match counts. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^GC-(68|69|70|72|73)$/, 'runs'],
  [/^NC-(2[4-9]|30|31)$/, 'runs'],
  [/^NC-3[23]$/, 'runs'],
  [/^(GC|SDK|NV|NC|SK|SKO|MCP|CX)-/, 'layers'],
  [/^CC-(1[7-9]|2[01])$/, 'runs'],
  [/^CC-/, 'layers'],
  [/^OP-0[567]$/, 'runs'],
  [/^OP-/, 'layers'],
  [/^MC-(3[89]|4[01])$/, 'layers'],
  [/^MC-(4[2-9])$/, 'memory'],
  [/^MC-5/, 'schedules'],
  [/^(MC|OC|SW|AP|WH)-/, 'runs'],
  [/^X-4[4-8]$/, 'schedules'],
  [/^X-(49|50)$/, 'memory'],
  [/^X-/, 'runs'],
  [/^CR-|^S\d/, 'schedules'],
  [/^ME-/, 'memory'],
  [/^T15$/, 'tenancy'],
  [/^[KMT]\d/, 'layers'],
  [/^(D08|D15|A28|C03|C15)$/, 'tenancy'],
  [/^A(06|23)$/, 'web tools'],
  [/^[DAC]\d/, 'runs'],
  [/^U\d/, 'web tools'],
  [/^H\d/, 'tenancy'],
  [/^J\d/, 'tenancy'],
  [/^Z\d/, 'memory'],
  [/^W[SR]\d/, 'runs'],
]

/** Ids of the documents that the rows stand in, where they are at hand. */
export function documentedIds(shared: string): string[] {
  const ids: string[] = []
  const table = new RegExp(`^\\| (${ID}) \\|`, 'gm')
  for (const name of ['acceptance.md', 'security-cases.md']) {
    const text = readFileSync(join(shared, name), 'utf8')
    for (const [, id] of text.matchAll(table)) ids.push(id!)
  }
  const lists = readFileSync(join(shared, 'failure-model.md'), 'utf8')
  for (const [, id] of lists.matchAll(/^- (W[SR]\d{2}) /gm)) ids.push(id!)
  return ids
}

export function brought(ids: readonly string[], before: Acceptance): Acceptance {
  const tested = testedIds()
  const out: Record<string, Entry> = {}
  for (const id of [...new Set(ids)].sort(byId)) {
    const known = before[id]
    const files = tested.get(id) ?? []
    // The file that is named stays named, whichever others there are.
    const test = files.find((file) => known && 'test' in known && known.test === file) ?? files[0]
    const part = PARTS.find(([pattern]) => pattern.test(id))?.[1]
    const says = known?.says === undefined ? {} : { says: known.says }
    if (test !== undefined) out[id] = { ...says, test }
    else if (known && 'left_out' in known) out[id] = { ...says, left_out: known.left_out }
    else out[id] = { ...says, open: part ?? 'unknown' }
  }
  return out
}

const byId = (left: string, right: string): number =>
  left.localeCompare(right, 'en', { numeric: true })

if (import.meta.main) {
  const shared = resolve(ROOT, process.argv[2] ?? '../shared')
  let before: Acceptance = {}
  try {
    before = readAcceptance()
  } catch {
    // The first time there is nothing yet.
  }
  const after = brought([...documentedIds(shared), ...Object.keys(before)], before)
  const lines = Object.entries(after).map(([id, entry]) => `  "${id}": ${JSON.stringify(entry)}`)
  writeFileSync(ACCEPTANCE_FILE, `{\n${lines.join(',\n')}\n}\n`)
}
