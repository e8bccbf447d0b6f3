/**
 * A command in a shell that is a program of its own (just-bash): its files are those that are
 * handed in, it starts no process and knows no network. Bounded in work, output and files.
 */

import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellRequest, ShellResult } from '../../ports/shell.ts'

/** The working folder. */
const ROOT = '/work'
/** Variables that the shell sets by itself. */
const ITS_OWN =
  /^(?:PWD|OLDPWD|SHLVL|_|HOME|PATH|IFS|OPTIND|(?:OS|MACH|HOST)TYPE|HOSTNAME|(?:SHELL|BASH)OPTS)$/

export async function runShell(request: ShellRequest): Promise<Outcome<ShellResult, string>> {
  const { Bash, InMemoryFs } = await import('just-bash/browser')
  const fs = new InMemoryFs(
    Object.fromEntries(request.files.map(({ path, bytes }) => [`${ROOT}/${path}`, bytes])),
  )
  await fs.mkdir(ROOT, { recursive: true })
  const cwd = request.cwd === '' ? ROOT : `${ROOT}/${request.cwd}`
  const shell = new Bash({
    fs,
    cwd: (await fs.exists(cwd)) ? cwd : ROOT,
    env: { ...request.env, HOME: ROOT },
    executionLimits: {
      maxExecutionTimeMs: request.timeoutMs,
      maxLoopIterations: LIMITS.shell_loops,
      maxCommandCount: LIMITS.shell_loops,
      maxFileSystemBytes: 4 * LIMITS.shell_bytes,
      maxLiveBytes: 4 * LIMITS.shell_bytes,
      maxInputBytes: 4 * LIMITS.shell_bytes,
      maxArchiveBytes: LIMITS.shell_bytes,
    },
  })
  try {
    const { stdout, stderr, exitCode, env } = await shell.exec(request.command)
    const files = await filesOf(fs, request.files)
    if (!files.ok) return files
    return ok({
      ...{ exit_code: exitCode, stdout, stderr },
      ...files.value,
      cwd: belowRoot(env.PWD ?? ROOT),
      env: Object.fromEntries(Object.entries(env).filter(isExported)),
    })
  } catch (error) {
    return fail(`the shell gave up: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const isExported = ([name]: readonly [string, string]): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !ITS_OWN.test(name)

const belowRoot = (path: string): string =>
  path === ROOT || !path.startsWith(`${ROOT}/`) ? '' : path.slice(ROOT.length + 1)

interface Files {
  getAllPaths(): string[]
  stat(path: string): Promise<{ isFile: boolean; size: number }>
  readFileBuffer(path: string): Promise<Uint8Array>
}

/** The files below the working folder that are new or other than before, and those that are gone. */
async function filesOf(
  fs: Files,
  before: readonly ShellFile[],
): Promise<Outcome<Pick<ShellResult, 'changed' | 'removed'>, string>> {
  const known = new Map(before.map(({ path, bytes }) => [path, bytes]))
  const changed: ShellFile[] = []
  let total = 0
  for (const path of fs.getAllPaths()) {
    if (!path.startsWith(`${ROOT}/`) || !(await fs.stat(path)).isFile) continue
    const name = path.slice(ROOT.length + 1)
    const bytes = await fs.readFileBuffer(path)
    const was = known.get(name)
    known.delete(name)
    if (was && isEqual(was, bytes)) continue
    total += bytes.length
    changed.push({ path: name, bytes })
    if (changed.length > LIMITS.shell_files)
      return fail(`it made more than ${LIMITS.shell_files} files: none of them was kept`)
    if (total > LIMITS.shell_bytes)
      return fail(`it wrote more than ${LIMITS.shell_bytes} bytes: nothing of it was kept`)
  }
  return ok({ changed, removed: [...known.keys()] })
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  // A callback for each byte of megabytes is most of a small command.
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}
