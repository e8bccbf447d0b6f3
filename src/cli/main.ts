/** `strata`: a small command line. `serve` is the server; the rest are clients of its API. */

import { parseArgs } from 'node:util'
import { newKey } from '../engine/keys.ts'
import { systemClock } from '../hosts/web/clock.ts'
import { check } from './check.ts'
import { push, run, tail } from './client.ts'
import { runServer } from './serve.ts'

const USAGE = `usage: strata <command>

  serve                                  start the server (settings: environment, see README)
  check <dir> [--json] [--loose]         one record per file: what would load, and why not
  push <dir> <prefix>                    upload a folder as files below a prefix
  run [--agent A] [--repo-dir P] [--role R] <input>
                                         start a run and follow it to its answer
  tail <run id>                          follow the events of a run
  key                                    print a new admin key, for STRATA_ADMIN_KEY

push, run and tail use STRATA_URL (http://127.0.0.1:8787) and STRATA_API_KEY.`

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      loose: { type: 'boolean', default: false },
      agent: { type: 'string' },
      'repo-dir': { type: 'string' },
      role: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [command, first, second] = positionals
  if (command === 'serve') return runServer(process.env, print)
  if (command === 'check' && first) return check(first, values, print)
  if (command === 'push' && first && second) return push(process.env, first, second, print)
  if (command === 'run' && first) {
    const { agent, role, 'repo-dir': repo_dir } = values
    return run(process.env, { input: first, agent, role, repo_dir }, print)
  }
  if (command === 'key') {
    print(newKey(systemClock.random).key)
    return 0
  }
  if (command === 'tail' && first) return tail(process.env, first, print)
  print(USAGE)
  return values.help ? 0 : 2
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

// A reader that goes away (`| head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`strata: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
