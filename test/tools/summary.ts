/**
 * Sums what CI did: `node test/tools/summary.ts <suite>…` reads vitest's report of each suite and the
 * list of stages, names what was skipped and what failed, why, and ends with `N passed, N failed`. A
 * suite without a report failed before its first test; what a failed stage said is said again.
 */

import { existsSync, readFileSync } from 'node:fs'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numFailedTestSuites: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly Assertion[]
  }[]
}
interface Assertion {
  readonly status: string
  readonly fullName: string
  readonly failureMessages: readonly string[]
}
interface Sum {
  readonly passed: number
  readonly failed: number
}

function suite(name: string): Sum {
  const file = `.vitest/${name}.json`
  if (!existsSync(file)) {
    console.log(`no report of ${name}`)
    return { passed: 0, failed: 1 }
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  for (const { name: file, message, assertionResults } of report.testResults) {
    if (message) console.log(`failed: ${name}: ${file}: ${message}`)
    for (const test of assertionResults) tell(name, test)
  }
  const failed = Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0)
  return { passed: report.numPassedTests, failed }
}

function tell(name: string, { status, fullName, failureMessages }: Assertion): void {
  if (status === 'passed') return
  console.log(`${status === 'failed' ? 'failed' : 'skipped'}: ${name}: ${fullName}`)
  for (const message of failureMessages) console.log(message)
}

const LINES_TO_REPEAT = 40
const SAYS_FAILED = /^(?:FAILED|failed|not ok|✗|×)/

/** The lines of a failed stage that name a failure, and its last ones. */
function repeat(line: string): void {
  console.log(line)
  const file = `.vitest/stage ${line.replace(/^failed /, '')}.log`
  if (!existsSync(file)) return
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const end = lines.length - LINES_TO_REPEAT
  for (const one of lines.filter((text, at) => at >= end || SAYS_FAILED.test(text)))
    console.log(`  ${one}`)
}

function stages(): Sum[] {
  const file = '.vitest/stages'
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return lines.map((line) => {
    const passed = line.startsWith('passed ')
    if (!passed) repeat(line)
    return { passed: Number(passed), failed: Number(!passed) }
  })
}

const sums = [...process.argv.slice(2).map(suite), ...stages()]
const passed = sums.reduce((sum, one) => sum + one.passed, 0)
const failed = sums.reduce((sum, one) => sum + one.failed, 0)
console.log(`${passed} passed, ${failed} failed`)
