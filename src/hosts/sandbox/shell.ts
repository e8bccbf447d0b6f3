/**
 * Runs a command in an emulated shell (just-bash) that sees only the given files and has no
 * processes or network. Work, output, and files are limited.
 */

import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellRequest, ShellResult } from '../../ports/shell.ts'
import { changesFrom } from './changes.ts'
import { fixFolders } from './fixed-folders.ts'
import { belowRoot, isExported, ROOT, variablesOf } from './shell-state.ts'
import { inOurWords } from './shell-texts.ts'

export async function runShell(request: ShellRequest): Promise<Outcome<ShellResult, string>> {
  const { Bash, InMemoryFs } = await import('just-bash/browser')
  const fixed = (request.skills?.folders ?? []).map((folder) => `${ROOT}/${folder}`)
  const fs = new InMemoryFs(
    Object.fromEntries(
      request.files.map(({ path, bytes }) => {
        const name = `${ROOT}/${path}`
        const isScript = interpreterOf(bytes) !== undefined
        const mode =
          isScript || fixed.some((folder) => name.startsWith(`${folder}/`)) ? 0o755 : 0o644
        return [name, { content: bytes, mode }]
      }),
    ),
  )
  await fs.mkdir(ROOT, { recursive: true })
  fixFolders(fs, fixed)
  const cwd = request.cwd === '' ? ROOT : `${ROOT}/${request.cwd}`
  const shell = new Bash({
    fs,
    cwd: (await fs.exists(cwd)) ? cwd : ROOT,
    env: { ...variablesOf(request), HOME: ROOT },
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
    const { exitCode, env, ...printed } = await shell.exec(request.command)
    const stdout = inOurWords(printed.stdout)
    const stderr = inOurWords(printed.stderr)
    const files = await filesOf(fs, request.files)
    if (!files.ok) return files
    return ok({
      ...{ exit_code: exitCode, stdout, stderr },
      ...(exitCode === 0
        ? {}
        : notesOn(request, exitCode === NOT_FOUND ? stderr + stdout : stderr)),
      ...files.value,
      cwd: belowRoot(env.PWD ?? ROOT),
      env: Object.fromEntries(Object.entries(env).filter(isExported)),
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return fail(`the shell failed: ${inOurWords(message)}`)
  }
}

/** Returns the program named in the `#!` line of a script; undefined without such a line. */
function interpreterOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x23 || bytes[1] !== 0x21) return undefined
  const [line = ''] = new TextDecoder().decode(bytes.subarray(0, 256)).slice(2).split('\n', 1)
  const [program = '', ...more] = line.trim().split(/\s+/)
  const name = program.slice(program.lastIndexOf('/') + 1)
  return name === 'env' ? more.find((word) => !word.startsWith('-')) : name
}

/** Exit code of a missing command, needed because the command's error output may be redirected. */
const NOT_FOUND = 127
const MISSING = /^(?:bash: )?(?:line \d+: )?([\w.+-]{1,64}): command not found/gm
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', ''])
const MAX_NAMED = 5

/** Returns notes on the programs that a failed command needed but the emulated shell lacks. */
function notesOn({ command, files }: ShellRequest, stderr: string): { readonly notes?: string[] } {
  const missing = new Set([...stderr.matchAll(MISSING)].map(([, name]) => name!))
  for (const { path, bytes } of files) {
    const program = command.includes(path.slice(path.lastIndexOf('/') + 1))
      ? interpreterOf(bytes)
      : undefined
    if (program !== undefined && !SHELLS.has(program)) missing.add(program)
  }
  if (missing.size === 0) return {}
  const names = [...missing].slice(0, MAX_NAMED).join(', ')
  return { notes: [`This shell is emulated and has no ${names}; ${RUNS}`] }
}

const RUNS =
  'it runs bash scripts and the usual text tools; a server with ALLOW_SHELL runs ' + 'programs'

interface Files {
  getAllPaths(): string[]
  stat(path: string): Promise<{ isFile: boolean; size: number }>
  readFileBuffer(path: string): Promise<Uint8Array>
}

/** Returns the files below the working folder that the command created, changed, or removed. */
async function filesOf(
  fs: Files,
  original: readonly ShellFile[],
): Promise<Outcome<Pick<ShellResult, 'changed' | 'removed'>, string>> {
  const changes = changesFrom(original)
  for (const path of fs.getAllPaths()) {
    if (!path.startsWith(`${ROOT}/`) || !(await fs.stat(path)).isFile) continue
    const accepted = changes.found(path.slice(ROOT.length + 1), await fs.readFileBuffer(path))
    if (!accepted.ok) return accepted
  }
  return ok(changes.all())
}
