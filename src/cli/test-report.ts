/** Test reports: a readable table, one JSON line per test, and JUnit XML for CI systems. */

import { jsonVisible, oneLine } from '../lib/invisible-characters.ts'
import type { TestOutcome } from '../testing/run-test.ts'
import { tableOf } from './table.ts'

export interface Reported extends TestOutcome {
  readonly name: string
  readonly file: string
  readonly ms: number
}

const WORDS: Readonly<Record<TestOutcome['result'], string>> = {
  passed: 'ok',
  failed: 'FAILED',
  error: 'ERROR',
  skipped: 'skipped',
}
const HEAD = ['test', 'result', 'time', 'cost']

/** Returns the test results as a table, with failures below their test. */
export function table(all: readonly Reported[]): string[] {
  const rows = all.map((report) => [
    report.name,
    WORDS[report.result],
    `${report.ms} ms`,
    report.cost === null ? '-' : dollars(report.cost),
  ])
  const [head = '', ...lines] = tableOf(HEAD, rows, [2, 3])
  return [head, ...all.flatMap((report, at) => [lines[at] ?? '', ...details(report)])]
}

function details({ result, failures, notes, file }: Reported): string[] {
  const isBad = result === 'failed' || result === 'error'
  // Warnings explain failures; without a failure, they are not findings about the test.
  const visibleNotes = notes.filter((note) => isBad || !note.startsWith('warning: '))
  return [
    ...(isBad ? [`  ${oneLine(file)}`] : []),
    ...failures.flatMap(({ expected, got }) => [`  expected ${expected}`, `  got      ${got}`]),
    ...visibleNotes.map((note) => `  note     ${note}`),
  ].map((line) => line.replaceAll('\n', '\n           '))
}

const dollars = (cost: number): string => `$${cost.toFixed(4)}`

/** Returns the summary line of the tests; `isGood` if no test failed and at least one ran. */
export function summary(all: readonly Reported[]): { line: string; isGood: boolean } {
  const count = (result: TestOutcome['result']) =>
    all.filter((report) => report.result === result).length
  const [passed, skipped, error] = [count('passed'), count('skipped'), count('error')]
  const ms = all.reduce((sum, report) => sum + report.ms, 0)
  const costs = all.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const spent = costs.length === 0 ? '' : `, ${dollars(costs.reduce((sum, cost) => sum + cost, 0))}`
  const noTestNote = skipped === all.length ? '; no test ran' : ''
  const tests = all.length === 1 ? '1 test' : `${all.length} tests`
  const line =
    `${tests}: ${passed} ok, ${count('failed')} failed, ${error} with errors, ` +
    `${skipped} skipped, in ${ms} ms${spent}${noTestNote}`
  return { line, isGood: passed > 0 && passed + skipped === all.length }
}

export function toJson({ name, file, result, ms, cost, failures, notes, run }: Reported): string {
  const ended = run && {
    status: run.run.status,
    text: run.text,
    calls: run.calls,
    usage: run.run.usage,
  }
  const record = { name, file, result, ms, cost, failures, notes, run: ended ?? null }
  return jsonVisible(JSON.stringify(record))
}

/** Returns one JUnit suite, with the element names of Ant's JUnit task, which CI systems read. */
export function junit(all: readonly Reported[]): string {
  const count = (result: TestOutcome['result']) =>
    all.filter((report) => report.result === result).length
  const seconds = (ms: number) => (ms / 1_000).toFixed(3)
  const total = seconds(all.reduce((sum, { ms }) => sum + ms, 0))
  const counts =
    `tests="${all.length}" failures="${count('failed')}" errors="${count('error')}" ` +
    `skipped="${count('skipped')}" time="${total}"`
  const cases = all.map((report) => {
    const name = `classname=${attribute(report.file)} name=${attribute(report.name)}`
    const inside = insideCase(report)
    const open = `    <testcase ${name} time="${seconds(report.ms)}"`
    return inside === '' ? `${open}/>` : `${open}>\n${inside}    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="strata" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function insideCase({ result, failures, notes }: Reported): string {
  const element = result === 'error' ? 'error' : 'failure'
  const elements = failures.map(
    ({ expected, got }) =>
      `      <${element} message=${attribute(`expected ${expected}`)}>${escaped(
        `expected ${expected}\ngot ${got}`,
      )}</${element}>\n`,
  )
  if (result === 'skipped') return `      <skipped message=${attribute(notes.join(' '))}/>\n`
  const out = notes.length === 0 ? '' : escaped(notes.join('\n'))
  return elements.join('') + (out === '' ? '' : `      <system-out>${out}</system-out>\n`)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
/**
 * Matches characters that XML 1.0 cannot represent: control characters, lone surrogates, and two
 * noncharacters.
 */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const escaped = (text: string): string =>
  text.replace(NO_XML, '\uFFFD').replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char)
/** XML parsers replace a line break in an attribute with a space. */
const attribute = (text: string): string =>
  `"${escaped(text).replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`)}"`
