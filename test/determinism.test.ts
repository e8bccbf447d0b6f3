/**
 * The gate gives the same answer every time: what `npm test` runs reads no clock, draws no chance,
 * knows nothing of CI, and waits for minutes before it calls something missing. Each check is a
 * function, which is shown to find a planted violation.
 */

import { describe, expect, it } from 'vitest'
import { sources } from './support/source.ts'

/** Run by other commands than `npm test`; what a test of the gate imports of them is checked. */
const isProof = (path: string): boolean =>
  /\.proof\.test\.ts$|^test\/(?:aws|cloudflare)\//.test(path)

interface File {
  readonly path: string
  readonly text: string
}
type Check = (file: File) => readonly string[]

/** Tests of the projects `unit` and `e2e`, their setup, and all that they import. */
function filesOfGate(): readonly File[] {
  const all = new Map(sources('test').map((file) => [file.path, file]))
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path) || !all.has(path)) return
    reached.add(path)
    for (const to of all.get(path)!.imports) visit(to)
  }
  for (const path of ['test/support/setup.ts', 'test/support/property.ts']) visit(path)
  for (const path of all.keys()) if (path.endsWith('.test.ts') && !isProof(path)) visit(path)
  return [...reached].map((path) => all.get(path)!)
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1')

/** The lines of the code in which a pattern is found, with the file. */
const linesWith =
  (pattern: RegExp): Check =>
  ({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`)

const clocks = linesWith(
  /\bperformance\.now\b|\bDate\.now\b|\bnew Date\(\)|\b(?:memory|cpu|threadCpu|resource)Usage\b|\bhrtime\b/,
)
const continuousIntegration = linesWith(/\benv(?:\.CI\b|\[['"]CI['"]\])/)

const CHANCE = /\bMath\.random\b|\brandom(?:Bytes|Int|UUID)\b|\bgetRandomValues\b/
/** Chance on a line that names a seed, or beside one. */
const randomSeeds: Check = ({ path, text }) => {
  const lines = withoutComments(text).split('\n')
  return lines.flatMap((line, at) => {
    const beside = lines.slice(Math.max(0, at - 1), at + 2).join('\n')
    return CHANCE.test(line) && /seed/i.test(beside) ? [`${path}: ${line.trim()}`] : []
  })
}

/** Property tests take seed and number of cases from `property.ts` and `full.ts`. */
const ownProperties: Check = (file) => {
  if (!/from 'fast-check'/.test(file.text)) return []
  const own = linesWith(/\bseed\s*:|\bnumRuns\s*:(?!\s*cases\()|\bconfigureGlobal\b/)(file)
  return file.path.startsWith('test/e2e/') ? [`${file.path} has no seed`, ...own] : own
}

const OPENS = /^( *)(?:it|test|beforeAll|beforeEach|afterAll|afterEach)\b/
const NUMBER = /^\s*(?:\}, )?[\d_]+(?:\s*\*[\s\d_*]+)?,?\)?$/
/** Time-outs of tests, hooks and waits that are written as a number of milliseconds. */
const timeouts: Check = (file) => {
  const lines = withoutComments(file.text).split('\n')
  const ofTests = lines.flatMap((line, from) => {
    const [, indent] = OPENS.exec(line) ?? []
    if (indent === undefined) return []
    const end = lines.findIndex(
      (one, at) => at > from && (one.startsWith(`${indent}}`) || one.startsWith(`${indent})`)),
    )
    const last = lines[end]?.startsWith(`${indent})`) ? lines[end - 1] : lines[end]
    return last !== undefined && NUMBER.test(last) ? [`${file.path}: ${line.trim()} … ${last}`] : []
  })
  return [
    ...ofTests,
    ...linesWith(/\btimeout:\s*\d/)(file),
    // Without an option they wait for a second.
    ...linesWith(/\bvi\.wait(?:For|Until)\b|\bexpect\.poll\b/)(file),
  ]
}

/** What a check finds in the files of the gate, but for those of the list. */
function found(check: Check, allowed: Readonly<Record<string, string>>): readonly string[] {
  return filesOfGate()
    .filter(({ path }) => !(path in allowed))
    .flatMap(check)
}

it('x', () => {
  console.log(found(clocks, {}).join('\n'))
  console.log(found(randomSeeds, {}).join('\n'))
  console.log(found(continuousIntegration, {}).join('\n'))
  console.log(found(ownProperties, {}).join('\n'))
  console.log(found(timeouts, {}).join('\n'))
})
