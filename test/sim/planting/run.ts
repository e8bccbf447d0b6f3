/** Runs test files in a process of their own, with a bug planted or none, and says what became of each test. */

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PLANTED, type Planting } from './plant.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const CONFIG = join(import.meta.dirname, 'vitest.config.ts')

/** Titles of tests without those of their groups; a test that was not reached is not in it. */
export type Statuses = ReadonlyMap<string, 'passed' | 'failed'>

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

export interface Ran {
  readonly isGreen: boolean
  readonly statuses: Statuses
  /** What vitest printed. */
  readonly output: string
}

/** A title as `-t` of vitest takes it, which reads a regular expression. */
export const escaped = (title: string): string => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `files` are beginnings of paths, `more` further arguments of vitest. */
export async function runTests(
  planting: Planting | undefined,
  files: readonly string[],
  ...more: string[]
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-planted-'))
  try {
    const report = join(folder, 'results.json')
    const said = ['--reporter', 'default', '--reporter', 'json', '--outputFile', report]
    const args = [VITEST, 'run', '--config', CONFIG, ...said, ...more, ...files]
    const given = planting ? { [PLANTED]: JSON.stringify(planting) } : {}
    const { code, output } = await node(args, { ...process.env, CI: '', ...given })
    return { isGreen: code === 0, statuses: statusesOf(report), output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const node = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; output: string }>((done) => {
    const options = { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      done({ code: error ? 1 : 0, output: stdout + stderr })
    })
  })

function statusesOf(path: string): Statuses {
  const found = new Map<string, 'passed' | 'failed'>()
  for (const { assertionResults } of read(path)?.testResults ?? []) {
    for (const { title, status } of assertionResults) {
      if (status === 'passed' || status === 'failed') found.set(title, status)
    }
  }
  return found
}

function read(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    // A process that never came to its tests has written nothing.
    return undefined
  }
}
