/**
 * `npm run gate`: CI as it is. Clones HEAD into a temporary folder, with a read-only copy of
 * `../shared` beside it where there is one, and runs `.ci/run` there with closed standard input, an
 * environment of PATH, HOME and LANG, `CI=true`, and a TMPDIR of its own. Fails when a process of the
 * clone outlives the run. On green the hash of HEAD's tree is written to `.git/gate-passed`. Exits
 * with the status of `.ci/run`.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = resolve(import.meta.dirname, '../..')
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
/** How long processes of the clone may take to end after the run. */
const LINGER_MS = 30_000

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

function prepare(folder: string): string {
  const clone = join(folder, 'main')
  execFileSync('git', ['clone', '--quiet', ROOT, clone], { stdio: 'inherit' })
  execFileSync('git', ['checkout', '--quiet', '--detach', git('rev-parse', 'HEAD')], { cwd: clone })
  // Tests run commands as another user, who must be able to reach their folders.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'tmp'))
  const shared = resolve(ROOT, '../shared')
  if (existsSync(shared)) {
    execFileSync('cp', ['-R', shared, join(folder, 'shared')])
    execFileSync('chmod', ['-R', 'a-w', join(folder, 'shared')])
  } else console.log('gate: there is no ../shared, so tests that read it are skipped')
  return clone
}

/** PATH without the programs of this working tree: the clone installs its own. */
const outerPath = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(delimiter)

function start(folder: string, clone: string): ChildProcess {
  const { HOME, LANG } = process.env
  return spawn('bash', ['.ci/run'], {
    cwd: clone,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: outerPath(),
      ...(HOME === undefined ? {} : { HOME }),
      ...(LANG === undefined ? {} : { LANG }),
      CI: 'true',
      TMPDIR: join(folder, 'tmp'),
    },
  })
}

/** Processes whose program or working folder lies in the folder; none where there is no /proc. */
function processesIn(folder: string): { readonly pid: number; readonly program: string }[] {
  if (!existsSync('/proc/self')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [program, cwd] = [linkOf(name, 'exe'), linkOf(name, 'cwd')]
      const isInside = [program, cwd].some((path) => path.startsWith(`${folder}/`))
      return isInside ? [{ pid: Number(name), program }] : []
    })
}

function linkOf(pid: string, link: string): string {
  try {
    return readlinkSync(`/proc/${pid}/${link}`)
  } catch {
    // The process has ended, or is not ours.
    return ''
  }
}

/** Ends what is left of the run; returns how many processes that were. */
async function endLeftovers(folder: string): Promise<number> {
  for (let waited = 0; waited < LINGER_MS && processesIn(folder).length > 0; waited += 200)
    await sleep(200)
  const left = processesIn(folder)
  for (const { pid, program } of left) {
    console.error(`gate: process ${pid} outlived the run: ${program}`)
    process.kill(pid, 'SIGKILL')
  }
  return left.length
}

function remove(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function main(): Promise<number> {
  const dirty = git('status', '--porcelain').split('\n').filter(Boolean).length
  if (dirty > 0) console.log(`gate: ${dirty} paths are not committed and not tested`)
  const [commit, tree] = [git('rev-parse', '--short', 'HEAD'), git('rev-parse', 'HEAD^{tree}')]
  const folder = mkdtempSync(join(tmpdir(), 'strata-gate-'))
  let interruptedBy: keyof typeof SIGNALS | undefined
  try {
    const run = start(folder, prepare(folder))
    for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
      process.on(signal, () => {
        interruptedBy = signal
        run.kill(signal)
      })
    }
    const [code] = (await once(run, 'exit')) as [number | null]
    const left = await endLeftovers(folder)
    if (interruptedBy) {
      console.error(`gate: ended by ${interruptedBy}; nothing is decided about ${commit}`)
      return SIGNALS[interruptedBy]
    }
    const status = code ?? 1
    if (status !== 0 || left > 0) {
      console.error(`gate: ${commit} is red`)
      return status || 1
    }
    writeFileSync(resolve(ROOT, git('rev-parse', '--git-path', 'gate-passed')), `${tree}\n`)
    console.log(`gate: ${commit} is green, tree ${tree}`)
    return 0
  } finally {
    remove(folder)
  }
}

process.exitCode = await main()
