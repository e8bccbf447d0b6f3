/**
 * Runs a process in a sandbox of this machine (bubblewrap) without network or privileges. Programs
 * are read-only; the working folder and /tmp are private. No other file, process, or variable of
 * the host is visible. The sandbox ends with this process. Memory, processes, disk, and time are
 * limited. Memory and disk are checked several times a second, so a process may briefly exceed a
 * limit.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../core/limits.ts'
import { outgrown, type SandboxFolder, type User } from './sandbox-folder.ts'
import { ROOT } from './shell-state.ts'

export interface Sandbox {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** Private channel from the sandboxed program to this process. */
  readonly said: Readable
  /** Ends all processes of the sandbox; the reason is a sentence that users can read. */
  stop(reason: string): void
  /** Resolves when all processes of the sandbox are dead. Never rejects. */
  readonly ended: Promise<SandboxEnd>
}
export interface SandboxEnd {
  /** Exit code of the sandboxed program; codes of 128 and above mean a signal. */
  readonly code: number
  /** Reason why this process ended the sandbox; absent if the sandbox ended by itself. */
  readonly why?: string | undefined
}

export interface SandboxBounds {
  /** Maximum CPU time of each process, in seconds. */
  readonly cpuSeconds: number
  readonly stdin: boolean
}

/** Path inside the sandbox of the folder that contains the shell's program. */
export const PROGRAM_DIR = '/run/strata'
/** Folders below /usr that are visible in the sandbox. */
const PROGRAMS = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libexec', 'libx32', 'share', 'include', 'games'],
  ...['local/bin', 'local/sbin', 'local/lib', 'local/lib64', 'local/share', 'local/include'],
]
/** Top-level program folders: links into /usr on most machines, separate folders on others. */
const TOP = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const LOOK_MS = 100
const DISK_MS = 500
/** Unprivileged user for sandbox processes, because the process limit does not apply to root. */
const UNPRIVILEGED: User = { uid: 65_534, gid: 65_534 }

export const sandboxUser = (): User | undefined =>
  process.getuid?.() === 0 ? UNPRIVILEGED : undefined

/** Starts a sandbox; `hidden` lists the server folders to hide, regardless of their location. */
export function openSandbox(
  folder: SandboxFolder,
  { cpuSeconds, stdin }: SandboxBounds,
  hidden: readonly string[],
): Sandbox {
  const child = spawn('bwrap', argumentsOf(folder, cpuSeconds, hidden), {
    // PATH locates bubblewrap and is not passed on to the sandbox.
    env: { PATH: process.env.PATH ?? PATH },
    cwd: '/',
    stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    ...sandboxUser(),
  })
  let endReason: string | undefined
  let pid: number | undefined
  const first = firstProcess(child).then((foundPid) => {
    pid = foundPid
    return foundPid
  })
  const stop = (reason: string): void => {
    endReason ??= reason
    // Killing the sandbox's first process ends all others. Then bwrap exits, so no process remains.
    if (pid === undefined || !killed(pid)) child.kill('SIGKILL')
  }
  const watching = new AbortController()
  const ended = (async (): Promise<SandboxEnd> => {
    const code = await closed(child)
    watching.abort()
    pid = undefined
    return { code, why: endReason }
  })()
  void watch(folder, first, stop, watching.signal)
  // Writing to the input of an ended process fails.
  child.stdin?.on('error', () => {})
  const { stdout, stderr } = child
  return {
    stdin: child.stdin,
    stdout: stdout!,
    stderr: stderr!,
    said: child.stdio[3] as Readable,
    stop,
    ended,
  }
}

function argumentsOf(
  { work, tmp, given: programDir, fixed }: SandboxFolder,
  cpuSeconds: number,
  hidden: readonly string[],
): string[] {
  const usr = PROGRAMS.map((name) => `/usr/${name}`).filter(existsSync)
  const visible = [...usr, ...['/etc/alternatives', '/etc/ld.so.cache'].filter(existsSync)]
  const small = ['--size', String(LIMITS.shell_bytes)]
  return [
    ...[
      '--unshare-all',
      '--unshare-user',
      '--as-pid-1',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
    ],
    ...['--cap-drop', 'ALL', '--hostname', 'strata', '--info-fd', '4'],
    ...visible.flatMap((path) => ['--ro-bind', path, path]),
    ...TOP.flatMap(topLevel),
    ...hidden.flatMap((folder) => within(folder, visible)).flatMap((path) => ['--tmpfs', path]),
    ...[
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      ...small,
      '--tmpfs',
      '/dev/shm',
      '--remount-ro',
      '/dev',
    ],
    ...[
      '--bind',
      tmp,
      '/tmp',
      '--bind',
      work,
      ROOT,
      '--ro-bind',
      programDir,
      PROGRAM_DIR,
      '--chdir',
      ROOT,
    ],
    ...fixed.flatMap((path) => ['--ro-bind', join(work, path), `${ROOT}/${path}`]),
    ...['--remount-ro', '/', '--setenv', 'HOME', ROOT, '--setenv', 'PATH', PATH],
    ...['--setenv', 'TMPDIR', '/tmp', '--setenv', 'LANG', 'C.UTF-8', '--'],
    ...['prlimit', `--nproc=${LIMITS.shell_processes}`, `--data=${LIMITS.shell_memory_bytes}`],
    ...[`--fsize=${LIMITS.shell_disk_bytes}`, `--cpu=${cpuSeconds}`, '--nofile=256', '--core=0'],
    ...['bash', '--noprofile', '--norc', `${PROGRAM_DIR}/start`],
  ]
}

/** Returns the bwrap arguments that reproduce a top-level folder of this machine. */
function topLevel(name: string): string[] {
  const path = `/${name}`
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  return stat.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

/** Returns the folder's real path if it is inside the visible folders, otherwise an empty list. */
function within(folder: string, visible: readonly string[]): string[] {
  if (!existsSync(folder)) return []
  const real = realpathSync(folder)
  return visible.some((path) => `${real}${sep}`.startsWith(`${path}${sep}`)) ? [real] : []
}

/**
 * Returns the host PID of the sandbox's first process; undefined if the process was never created.
 */
async function firstProcess(child: ChildProcess): Promise<number | undefined> {
  let text = ''
  try {
    for await (const piece of child.stdio[4] as Readable) text += String(piece)
    return (JSON.parse(text) as { 'child-pid'?: number })['child-pid']
  } catch {
    return undefined
  }
}

function closed(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 143)))
  })
}

function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Checks the sandbox's memory and disk limits until the signal aborts. */
async function watch(
  folder: SandboxFolder,
  first: Promise<number | undefined>,
  stop: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const pid = await first
  let diskAt = performance.now() + DISK_MS
  while (!signal.aborted) {
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
    if (pid !== undefined && memoryOf(pid) > LIMITS.shell_memory_bytes) stop(TOO_MUCH_MEMORY)
    if (signal.aborted || performance.now() < diskAt) continue
    const began = performance.now()
    const excess = await outgrown(folder)
    if (excess !== undefined) stop(excess)
    // Disk checks take at most a tenth of the time, because measuring a large folder is slow.
    diskAt = performance.now() + Math.max(DISK_MS, 9 * (performance.now() - began))
  }
}

const TOO_MUCH_MEMORY = `it used more than ${LIMITS.shell_memory_bytes} bytes of memory`

/** Returns the private memory of a process and its descendants, in bytes. */
function memoryOf(pid: number): number {
  const ownBytes = linesOf(`/proc/${pid}/status`).reduce((sum, line) => {
    const kilobytes = /^Rss(?:Anon|Shmem):\s+(\d+) kB/.exec(line)?.[1]
    return sum + Number(kilobytes ?? 0) * 1_024
  }, 0)
  const tasks = entriesOf(`/proc/${pid}/task`)
  const children = tasks.flatMap((task) => linesOf(`/proc/${pid}/task/${task}/children`))
  return children
    .flatMap((line) => line.split(' ').filter((id) => id !== ''))
    .reduce((sum, child) => sum + memoryOf(Number(child)), ownBytes)
}

/** A process may start or end while its files are read. */
function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'latin1').split('\n')
  } catch {
    return []
  }
}
function entriesOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
