/**
 * A command in a shell that is a program of its own (just-bash): its files are those that are
 * handed in, it starts no process and knows no network. Bounded in work, output and files.
 */

import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellRequest, ShellResult } from '../../ports/shell.ts'
import { changesFrom } from './changes.ts'
import { belowRoot, isExported, ROOT } from './shell-state.ts'

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
  const changes = changesFrom(before)
  for (const path of fs.getAllPaths()) {
    if (!path.startsWith(`${ROOT}/`) || !(await fs.stat(path)).isFile) continue
    const kept = changes.found(path.slice(ROOT.length + 1), await fs.readFileBuffer(path))
    if (!kept.ok) return kept
  }
  return ok(changes.all())
}
