/** `npm run bench -- [NAME] [OPTIONS…]`: runs a benchmark, each of which is a program of its own. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const BENCHMARKS: Readonly<Record<string, readonly [file: string, measures: string]>> = {
  runs: ['runs.ts', 'durable runs beside bare model calls, or beside another commit (default)'],
  profile: ['profile.ts', 'where the event loop spends its time'],
  fanouts: ['fanouts.ts', 'time and memory of a task in an open fan-out'],
  sessions: ['sessions.ts', 'turns of a session with 10,000 turns'],
  tenants: ['tenants.ts', 'runs beside 990 other tenants, and beside a loud one'],
  encryption: ['encryption.ts', 'runs of an encrypted tenant beside one that is not'],
  lists: ['lists.ts', 'lists of a tenant with 100,000 runs'],
  memory: ['memory.ts', 'search in a memory of 10,000 passages'],
  resolve: ['resolve.ts', 'resolving layers over a distant object store'],
  shell: ['shell.ts', 'common commands of shell_execute'],
  store: ['store.ts', 'the store in a file'],
  aws: ['aws.ts', 'calls of AWS that a run waits for'],
  workers: ['workers.ts', 'the bundled Worker beside Cloudflare Workflows'],
  cost: ['../cost/main.ts', 'the price of a run on each cloud'],
  scale: ['../scale/main.ts', 'a month of sustained load against the limits of each cloud'],
}

const lines = Object.entries(BENCHMARKS).map(([name, [, what]]) => `  ${name.padEnd(10)}${what}`)
const USAGE = `npm run bench -- [NAME] [OPTIONS…]

${lines.join('\n')}

The header of each program in test/measure/bench describes its options.`

const [first = 'runs', ...rest] = process.argv.slice(2)
const [name, options] = first.startsWith('-') ? ['runs', [first, ...rest]] : [first, rest]
const file = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name]![0] : undefined
if (first === '--help') console.log(USAGE)
else if (file === undefined) {
  console.error(`there is no benchmark ${JSON.stringify(name.slice(0, 60))}\n\n${USAGE}`)
  process.exitCode = 2
} else {
  const program = join(import.meta.dirname, file)
  const { status } = spawnSync(process.execPath, [program, ...options], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
