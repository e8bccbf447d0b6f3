/**
 * Implements the shell port with a real bash in a sandbox of this machine (`ALLOW_SHELL`). The
 * run's files are written to a private folder of the sandbox. Changes are read back once all
 * processes are dead.
 */

import type { Readable } from 'node:stream'
import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Shell, ShellRequest, ShellResult, ShellState } from '../../ports/shell.ts'
import type { Line } from './line.ts'
import { openSandbox, PROGRAM_DIR, type Sandbox, type SandboxEnd, sandboxUser } from './sandbox.ts'
import { changesIn, makeFolder, type SandboxFolder } from './sandbox-folder.ts'
import { belowRoot, isExported, ROOT, variablesOf } from './shell-state.ts'

export interface RealShellOptions {
  /** Server folders that are hidden from commands. */
  readonly hidden: readonly string[]
  /** Queue that limits how many commands run concurrently. */
  readonly inLine: Line
}

/** Marker that reports the start of bash; the shell's variables follow when bash ends. */
const START_MARK = 'begun\n'
/**
 * Maximum size of a shell's final report, in bytes; a state that is too large is rejected when it
 * is stored.
 */
const SAID_BYTES = 2 * LIMITS.shell_state_bytes
const WHICH = "this machine's bash, in a sandbox without a network"

export const realShell = ({ hidden, inLine }: RealShellOptions): Shell => ({
  run: (request, signal) => inLine(signal, () => run(request, hidden, signal)),
})

async function run(
  request: ShellRequest,
  hidden: readonly string[],
  signal: AbortSignal,
): Promise<Outcome<ShellResult, string>> {
  const created = await folderFor(request)
  if (!created.ok) return created
  const folder = created.value
  try {
    const cpuSeconds = Math.ceil(request.timeoutMs / 1_000) + 1
    const sandbox = openSandbox(folder, { cpuSeconds, stdin: false }, hidden)
    return await performed(request, folder, sandbox, signal)
  } finally {
    await folder.remove()
  }
}

/** Creates a sandbox folder with the run's files and the shell's program. */
export async function folderFor(
  request: ShellState & Pick<ShellRequest, 'command' | 'files' | 'skills'>,
): Promise<Outcome<SandboxFolder, string>> {
  try {
    return ok(await makeFolder(request, programOf(request), sandboxUser()))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return fail(`its files could not be copied to the sandbox (${code ?? 'unknown'})`)
  }
}

async function performed(
  { files, cwd, env, timeoutMs }: ShellRequest,
  folder: SandboxFolder,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Outcome<ShellResult, string>> {
  const late = `${DEADLINE} of ${timeoutMs / 1_000} s passed`
  const abort = (): void => sandbox.stop('the call was aborted')
  const timer = setTimeout(() => sandbox.stop(late), timeoutMs)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  const full = (): void => sandbox.stop(`it printed more than ${LIMITS.shell_bytes} bytes`)
  const outputs = [sandbox.stdout, sandbox.stderr].map((stream) =>
    collected(stream, LIMITS.shell_output_bytes, full),
  )
  const [end, stdout, stderr, report] = await Promise.all([
    sandbox.ended,
    ...outputs,
    collected(sandbox.said, SAID_BYTES),
  ])
  clearTimeout(timer)
  signal.removeEventListener('abort', abort)
  const reason = whyNone(end!, report!.text, stderr!.text, late)
  if (reason !== undefined) return fail(reason)
  const changes = await changesIn(folder.work, files)
  if (!changes.ok) return changes
  const state = stateOf(report!.text)
  const stateNotes = state ? [] : ['its folder and variables were not updated']
  const notes = [
    WHICH,
    ...stateNotes,
    ...(end!.why ? [`ended because ${end!.why}`] : []),
    ...changes.value.notes,
  ]
  return ok({
    ...changes.value,
    notes,
    exit_code: end!.why ? TIMED_OUT : end!.code,
    stdout: stdout!.text,
    stderr: stderr!.text,
    dropped: stdout!.dropped + stderr!.dropped,
    ...(state ?? { cwd, env }),
  })
}

/** Stop reason for a command that reached its deadline. */
const DEADLINE = 'the deadline'
/** Exit code of a command that timed out, as in coreutils `timeout`. */
const TIMED_OUT = 124

/**
 * Returns why a command's file changes are discarded; a command that only timed out keeps its
 * changes.
 */
function whyNone(
  { code, why: reason }: SandboxEnd,
  report: string,
  stderr: string,
  late: string,
): string | undefined {
  if (reason !== undefined && reason !== late) return reason
  if (report.startsWith(START_MARK) || reason === late) return undefined
  const first = stderr.split('\n', 1)[0]!.slice(0, 300)
  return `the sandbox failed to start: ${first === '' ? `exit code ${code}` : first}`
}

/** Builds the bash program; `start` prepares the shell and reads `command` as a script. */
function programOf(request: Omit<ShellRequest, 'files' | 'timeoutMs'>) {
  const { command, cwd } = request
  const start = [
    `printf '${START_MARK.trim()}\\n' >&3`,
    ...Object.entries(variablesOf(request)).map(
      ([name, value]) => `export ${name}=${shellQuote(value)}`,
    ),
    `cd -- ${shellQuote(cwd === '' ? ROOT : `${ROOT}/${cwd}`)} 2>/dev/null || cd ${ROOT}`,
    `trap '/usr/bin/env -0 >&3' EXIT`,
    `. ${PROGRAM_DIR}/command`,
    '',
  ]
  return { start: start.join('\n'), command: `${command}\n` }
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Parses the shell state from the final report. Returns undefined if the shell ended without a
 * report (`exec` or a signal); the previous state is then kept.
 */
function stateOf(report: string): ShellState | undefined {
  const text = report.slice(START_MARK.length)
  if (!text.endsWith('\0')) return undefined
  const pairs = text.split('\0').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const env = Object.fromEntries(pairs)
  return { cwd: belowRoot(env.PWD ?? ROOT), env: Object.fromEntries(pairs.filter(isOurs)) }
}

const SET: ReadonlySet<string> = new Set(['TMPDIR', 'LANG'])
const isOurs = (pair: readonly [string, string]): boolean => isExported(pair) && !SET.has(pair[0])

interface Output {
  readonly text: string
  readonly dropped: number
}

/**
 * Reads all output of a stream so that its writer does not block, and keeps the first `most` bytes.
 */
async function collected(stream: Readable, most: number, full?: () => void): Promise<Output> {
  const pieces: Buffer[] = []
  let keptBytes = 0
  let all = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      all += piece.length
      // The bytes are copied, because a view would keep the whole chunk in memory.
      if (keptBytes < most) pieces.push(Buffer.from(piece.subarray(0, most - keptBytes)))
      keptBytes = Math.min(most, all)
      if (all > LIMITS.shell_bytes) full?.()
    }
  } catch {
    // The output stream failed early; output received before is kept.
  }
  return { text: new TextDecoder().decode(Buffer.concat(pieces)), dropped: all - keptBytes }
}
