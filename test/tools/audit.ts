/**
 * Known vulnerabilities of what users run, as the npm registry reports them: the packages of
 * `npm run sbom`. Exits with 1 if there are any, and with 75 if the registry does not answer this
 * request, as many mirrors do not.
 */

import { spawnSync } from 'node:child_process'
import { billOfMaterials } from './sbom.ts'

const NOT_ANSWERED = 75

interface Report {
  readonly message?: string
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

const { stdout } = spawnSync('npm', ['audit', '--package-lock-only', '--json'], {
  encoding: 'utf8',
  maxBuffer: 1e8,
})
const report = JSON.parse(stdout === '' ? '{}' : stdout) as Report
if (!report.vulnerabilities) {
  console.log('the registry does not report vulnerabilities')
  process.exit(NOT_ANSWERED)
}
const names = new Set(billOfMaterials().components.map(({ name }) => name))
const vulnerable = Object.entries(report.vulnerabilities)
const [inProgram, inDevelopment] = [true, false].map((isPart) =>
  vulnerable.filter(([name]) => names.has(name) === isPart),
)
for (const [name, { severity }] of inProgram ?? []) console.log(`${name}: ${severity}`)
for (const [name, { severity }] of inDevelopment ?? [])
  console.log(`${name}: ${severity}, for development only`)
console.log(`${inProgram?.length ?? 0} vulnerable packages in the program`)
process.exit(inProgram?.length === 0 ? 0 : 1)
