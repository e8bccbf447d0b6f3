/**
 * Sums what CI did: `node test/tools/summary.ts <suite>…` reads vitest's report of each suite and the
 * list of stages, names what was skipped, and ends with `N passed, N failed`. A suite without a
 * report failed before its first test.
 */

import { existsSync, readFileSync } from 'node:fs'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numFailedTestSuites: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
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
  for (const { assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status !== 'passed' && status !== 'failed') console.log(`skipped: ${name}: ${fullName}`)
    }
  }
  const failed = Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0)
  return { passed: report.numPassedTests, failed }
}

function stages(): Sum[] {
  const file = '.vitest/stages'
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return lines.map((line) => {
    const passed = line.startsWith('passed ')
    if (!passed) console.log(line)
    return { passed: Number(passed), failed: Number(!passed) }
  })
}

const sums = [...process.argv.slice(2).map(suite), ...stages()]
const passed = sums.reduce((sum, one) => sum + one.passed, 0)
const failed = sums.reduce((sum, one) => sum + one.failed, 0)
console.log(`${passed} passed, ${failed} failed`)
