/**
 * `npm run lint`: format, types, dead code and the contract, all at once. Every check runs to its
 * end; the output of the failed ones is printed.
 */

import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureClientTypes } from './client-types/main.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The slowest first. */
const CHECKS: readonly (readonly string[])[] = [
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'src/console'],
  ['biome', 'check', '.'],
  ['knip', '--no-progress'],
  ['spectral', 'lint', 'openapi.yaml', '--fail-severity=warn', '--quiet'],
  ['redocly', 'lint', 'openapi.yaml'],
  ['node', 'test/tools/openapi.ts', '--check'],
  ['node', 'test/tools/plain.ts'],
]

const env = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...process.env,
  PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter),
}

interface Ended {
  readonly check: string
  readonly failed: string | undefined
  readonly output: string
}

function run([command = '', ...args]: readonly string[]): Promise<Ended> {
  const check = [command, ...args].join(' ')
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const hear = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', (error) => resolve({ check, failed: error.message, output }))
    child.once('close', (code, signal) => {
      resolve({ check, failed: code === 0 ? undefined : `${code ?? signal}`, output })
    })
  })
}

ensureClientTypes()
const ended = await Promise.all(CHECKS.map(run))
for (const { check, failed, output } of ended) {
  if (failed === undefined) continue
  process.exitCode = 1
  console.error(`${check} failed (${failed}):\n${output.trimEnd()}\n`)
}
