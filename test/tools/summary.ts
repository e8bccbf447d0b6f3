/** Sums what vitest's JSON report says: skipped tests by name, then `N passed, N failed`. */

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

const FILE = '.vitest/results.json'
if (!existsSync(FILE)) {
  // Something before the tests failed: nothing was run, and that is no success.
  console.log('0 passed, 1 failed')
  process.exit(1)
}
const report = JSON.parse(readFileSync(FILE, 'utf8')) as Report
for (const { assertionResults } of report.testResults) {
  for (const { status, fullName } of assertionResults) {
    if (status !== 'passed' && status !== 'failed') console.log(`skipped: ${fullName}`)
  }
}
const failed = Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0)
console.log(`${report.numPassedTests} passed, ${failed} failed`)
