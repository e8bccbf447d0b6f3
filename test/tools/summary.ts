/**
 * Sums what `.ci/run` did. Reads `.vitest/stages`, a line `name status seconds` for each stage, and
 * vitest's report `.vitest/<stage>.json` of those that have tests, and what the others printed,
 * `.vitest/<stage>.log`. Prints the slowest files, what was skipped, what failed and why, and ends
 * with `N passed, N failed`.
 */

import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

interface TestFile {
  readonly name: string
  readonly message: string
  readonly startTime: number
  readonly endTime: number
  readonly assertionResults: readonly Assertion[]
}
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly TestFile[]
}
interface Assertion {
  readonly status: string
  readonly fullName: string
  readonly failureMessages: readonly string[]
}
interface Stage {
  readonly name: string
  readonly status: number
  readonly seconds: number
}

const FOLDER = '.vitest'
const SLOWEST = 10
/** Lines of a failed stage that are repeated at the end, because only the end may be kept. */
const LAST_LINES = 30
/** Stages whose tests are counted one by one; every other stage counts as one. */
const SUITES = new Set(['test', 'workerd'])

const stages: Stage[] = readFileSync(`${FOLDER}/stages`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', status, seconds] = line.split(' ')
    return { name, status: Number(status), seconds: Number(seconds) }
  })

const reports = new Map(
  stages
    .map(({ name }) => [name, `${FOLDER}/${name}.json`] as const)
    .filter(([name, file]) => SUITES.has(name) && existsSync(file))
    .map(([name, file]) => [name, JSON.parse(readFileSync(file, 'utf8')) as Report]),
)

function printSlowest(): void {
  const files = [...reports.values()].flatMap(({ testResults }) => testResults)
  const slowest = files
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1_000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
  if (slowest.length === 0) return
  console.log('the slowest files:')
  for (const { name, seconds } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${relative(process.cwd(), name)}`)
}

function printOdd(stage: string, { testResults }: Report): void {
  for (const { name, message, assertionResults } of testResults) {
    if (message) console.log(`failed: ${stage}: ${relative(process.cwd(), name)}: ${message}`)
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'passed') continue
      console.log(`${status === 'failed' ? 'failed' : 'skipped'}: ${stage}: ${fullName}`)
      for (const text of failureMessages) console.log(text)
    }
  }
}

function printEnd({ name, status }: Stage): void {
  const file = `${FOLDER}/${name}.log`
  if (status === 0 || reports.has(name) || !existsSync(file)) return
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  for (const line of lines.slice(-LAST_LINES)) console.log(`failed: ${name}: ${line}`)
}

/** How much of a stage passed and failed. A suite that failed outside its tests counts one failure. */
function counted({ name, status }: Stage): { passed: number; failed: number } {
  const report = reports.get(name)
  if (!report) return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 }
  const { numPassedTests: passed, numFailedTests } = report
  return { passed, failed: status === 0 ? 0 : Math.max(1, numFailedTests) }
}

printSlowest()
for (const [name, report] of reports) printOdd(name, report)
for (const stage of stages) printEnd(stage)
let [passed, failed] = [0, 0]
for (const stage of stages) {
  const { name, status, seconds } = stage
  const count = counted(stage)
  passed += count.passed
  failed += count.failed
  console.log(`${name}: ${status === 0 ? 'passed' : `failed (${status})`}, ${seconds} s`)
}
console.log(`${passed} passed, ${failed} failed`)
