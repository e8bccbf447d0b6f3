/**
 * `npm run audit`: known weaknesses of what runs. Fails on any. A registry without that question
 * (a mirror) is named, and nothing is claimed then.
 */

import { spawnSync } from 'node:child_process'

interface Report {
  readonly error?: { readonly summary?: string; readonly detail?: string }
  readonly message?: string
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const report = JSON.parse(stdout === '' ? '{}' : stdout) as Report
const total = report.metadata?.vulnerabilities.total
if (total === undefined) {
  console.log('audit: skipped, this registry does not answer it')
} else {
  for (const [name, { severity }] of Object.entries(report.vulnerabilities ?? {})) {
    console.log(`audit: ${name}: ${severity}`)
  }
  console.log(`audit: ${total} known weaknesses`)
  process.exitCode = total === 0 ? 0 : 1
}
