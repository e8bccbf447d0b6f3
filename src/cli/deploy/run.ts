/** Runs programs one after the other with visible output; the first failure ends the command. */

import { type StdioOptions, spawnSync } from 'node:child_process'

/** Environment variables that disable prompts, update notices, and telemetry. */
const QUIET = {
  CI: '1',
  DO_NOT_TRACK: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
}

export function run(command: string, args: readonly string[], cwd: string): void {
  console.log(`$ ${[command, ...args].join(' ')}`)
  const env = { ...process.env, ...QUIET }
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Runs a program and returns its output; error output is shown. */
export function outputOf(command: string, args: readonly string[], cwd: string): string {
  console.log(`$ ${[command, ...args].join(' ')}`)
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit']
  const env = { ...process.env, ...QUIET }
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio,
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}

/** Runs a command that creates a resource; an existing resource is not an error. */
export function runUnlessThere(command: string, args: readonly string[], cwd: string): void {
  console.log(`$ ${[command, ...args].join(' ')}`)
  const env = { ...process.env, ...QUIET }
  const result = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (result.error) throw result.error
  process.stdout.write(result.stdout)
  process.stderr.write(result.stderr)
  if (result.status === 0) return
  if (!/already (?:exists|taken|own)/i.test(result.stdout + result.stderr))
    process.exit(result.status ?? 1)
  console.log('The resource already exists.')
}
