/**
 * `npm run test:promises`: breaks each promise of a run once and asks whether its test notices. A
 * patch of test/planted is applied in a scratch copy of the repository; the test that its first line
 * names (`# <file> > <name>`) must then be red, and must be green without it. Prints a line each and
 * `<n> broken, <n> caught`; exits with 1 when a patch does not apply or is not caught.
 */

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const PLANTED = join(ROOT, 'test/planted')
const COPIED = ['src', 'test', 'examples', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const AT_ONCE = Math.min(3, availableParallelism())

interface Planted {
  readonly patch: string
  readonly file: string
  /** The test that must turn red, by its name without those of its groups. */
  readonly test: string
}

function planted(): Planted[] {
  const patches = readdirSync(PLANTED).filter((name) => /^promise-\d+\.patch$/.test(name))
  const number = (name: string): number => Number(/\d+/.exec(name)![0])
  return patches
    .toSorted((left, right) => number(left) - number(right))
    .map((patch) => {
      const [first = ''] = readFileSync(join(PLANTED, patch), 'utf8').split('\n')
      const [, file, test] = /^# (\S+) > (.+)$/.exec(first) ?? []
      if (!file || !test) throw new Error(`${patch} does not name its test in its first line`)
      return { patch, file, test }
    })
}

/** Everything a test needs, in a folder of its own; packages are shared. */
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-promises-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

interface Ran {
  readonly code: number
  readonly out: string
}

const run = (cwd: string, command: string, args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    // No repository around the scratch copy may have a say.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), CI: '' }
    const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 }
    execFile(command, args, options, (error, stdout, stderr) => {
      done({ code: error ? 1 : 0, out: stdout + stderr })
    })
  })

type Status = 'passed' | 'failed' | 'not run'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/** What becomes of the named tests; one that was never reached is neither red nor green. */
async function statuses(folder: string, wanted: readonly Planted[]): Promise<Map<string, Status>> {
  const out = join(folder, 'results.json')
  const names = wanted.map(({ test }) => test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const files = [...new Set(wanted.map(({ file }) => file))]
  const said = ['--reporter', 'json', '--outputFile', out, '-t', names.join('|')]
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  await run(folder, process.execPath, [vitest, 'run', '--project', 'unit', ...said, ...files])
  const found = new Map<string, Status>()
  for (const { assertionResults } of read(out)?.testResults ?? []) {
    for (const { title, status } of assertionResults) {
      if (status === 'passed' || status === 'failed') found.set(title, status)
    }
  }
  return new Map(wanted.map(({ test }) => [test, found.get(test) ?? 'not run']))
}

function read(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    // A process that never came to its tests has written nothing.
    return undefined
  }
}

async function inScratch<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = scratch()
  try {
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Why the promise is not shown to be tested; undefined when its test turned red. */
function missed(one: Planted, whole: Status): Promise<string | undefined> {
  return inScratch(async (folder) => {
    if (whole !== 'passed') return `without the patch the test is ${whole}`
    const applied = await run(folder, 'git', ['apply', join(PLANTED, one.patch)])
    if (applied.code !== 0) return `the patch does not apply: ${applied.out.trim()}`
    const status = (await statuses(folder, [one])).get(one.test)
    return status === 'failed' ? undefined : `with the patch the test is ${status}`
  })
}

const all = planted()
const whole = await inScratch((folder) => statuses(folder, all))
const waiting = [...all]
let caught = 0
const worker = async (): Promise<void> => {
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    const why = await missed(one, whole.get(one.test)!)
    if (why === undefined) caught += 1
    console.log(`${why === undefined ? 'caught' : 'MISSED'} ${one.patch}: ${why ?? one.test}`)
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker))
console.log(`${all.length} broken, ${caught} caught`)
process.exitCode = caught === all.length && all.length > 0 ? 0 : 1
