/**
 * `strata test`: runs the tests of a pack in memory, without a server. Test syntax is documented in
 * `src/testing/test-file.ts`. An invalid test file counts as a failed test and does not stop the
 * others.
 */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { runTest, type TestOutcome } from '../testing/run-test.ts'
import { parseTest } from '../testing/test-file.ts'
import type { TestSettings } from '../testing/traffic.ts'
import { type Pack, readPack, type TestSource } from './pack.ts'
import type { Terminal } from './terminal.ts'
import { junit, type Reported, summary, table, toJson } from './test-report.ts'
import { WrongUse } from './usage-error.ts'

export interface TestOptions {
  readonly place: string
  /** Substrings of test names or paths; a test runs if it matches at least one of them. */
  readonly only: readonly string[]
  readonly junit?: string | undefined
  readonly json?: boolean | undefined
  readonly record?: boolean | undefined
}

/** Runs the tests and returns the exit code: 0 if no test failed and at least one ran. */
export async function test(terminal: Terminal, options: TestOptions): Promise<number> {
  const { only, json, record = false } = options
  if (options.junit !== undefined) checkFolder(options.junit)
  const pack = readPack(options.place)
  const tests = pack.tests.map((source) => {
    return { source, read: parseTest(source.text, source.stem) }
  })
  const selected = tests.filter(({ source, read }) => {
    const name = read.ok ? read.value.name : source.stem
    return (
      only.length === 0 ||
      only.some((pattern) => name.includes(pattern) || source.path.includes(pattern))
    )
  })
  if (selected.length === 0) throw none(options, pack)
  const isRecorded = selected.some(({ read }) => read.ok && read.value.replay !== undefined)
  if (record && !isRecorded)
    throw new WrongUse('--record requires a test with `replay: <file>`; no test has it')
  const files = pack.files(terminal.err)
  const settings = settingsOf(terminal)
  const reported: Reported[] = []
  for (const { source, read } of selected) {
    const began = performance.now()
    const outcome = read.ok
      ? await runTest(source.path, read.value, { files, settings, record })
      : unreadable(read.error)
    const ms = Math.round(performance.now() - began)
    const name = read.ok ? read.value.name : source.stem
    const testReport = { ...outcome, name, file: source.path, ms }
    reported.push(testReport)
    terminal.status?.(`${reported.length} of ${selected.length}`)
    if (json) terminal.out(toJson(testReport))
  }
  terminal.status?.('')
  if (!json) for (const line of table(reported)) terminal.out(line)
  if (options.junit !== undefined) writeFileSync(options.junit, junit(reported))
  const totals = summary(reported)
  if (json) terminal.err(totals.line)
  else terminal.out(totals.line)
  return totals.isGood ? 0 : 1
}

/**
 * Checks the report's folder before any test runs, so that an unwritable folder is reported early.
 */
function checkFolder(file: string): void {
  const folder = dirname(file)
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder) throw new WrongUse(`--junit ${file}: folder not found: ${folder}`)
}

function none({ place, only }: TestOptions, { tests }: Pack): WrongUse {
  const names = tests.map(({ stem }: TestSource) => stem).join(', ')
  if (tests.length > 0)
    return new WrongUse(`no test matches ${only.join(', ')}; available tests: ${names}`)
  return new WrongUse(`no tests found in ${place}; add Markdown files to its tests folder`)
}

/** Reads the test settings as `strata dev` reads its settings. */
function settingsOf({ env }: Terminal): TestSettings {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { ...file, ...env }
}

const unreadable = (faults: readonly string[]): TestOutcome => ({
  result: 'error',
  failures: faults.map((got) => ({ expected: 'a test', got })),
  notes: [],
  cost: null,
})
