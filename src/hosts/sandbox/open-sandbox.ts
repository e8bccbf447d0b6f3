/** Checks at server startup whether a sandbox works on this machine. */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { MachineSandbox } from '../../ports/shell.ts'
import { line } from './line.ts'
import { RealProcesses } from './real-processes.ts'
import { realShell } from './real-shell.ts'
import { removeLeftFolders } from './sandbox-folder.ts'

export interface SandboxNeeds {
  /** Server folders that are hidden from commands. */
  readonly hidden: readonly string[]
  /** Reports whether this machine has a program with the given name. */
  readonly has: (program: string) => boolean
}

const NEEDED = { bwrap: 'bubblewrap', prlimit: 'util-linux', bash: 'bash' } as const
const TRY_MS = 10_000
/** Test command that starts another process and writes a file, as most commands do. */
const PROBE = 'echo works | cat > tried'

/** Opens the machine's sandbox, or fails with a sentence that names the missing part. */
export async function openMachineSandbox({
  hidden,
  has,
}: SandboxNeeds): Promise<Outcome<MachineSandbox, string>> {
  if (process.platform !== 'linux') return without('Linux is required')
  for (const [program, name] of Object.entries(NEEDED))
    if (!has(program)) return without(`${program} is not installed (${name})`)
  await removeLeftFolders()
  const shell = realShell({ hidden, inLine: line() })
  const request = { command: PROBE, files: [], cwd: '', env: {}, timeoutMs: TRY_MS }
  const ran = await shell.run(request, new AbortController().signal)
  if (!ran.ok) return without(`bubblewrap does not work on this machine: ${ran.error}`)
  const { exit_code, stderr, changed } = ran.value
  if (exit_code === 0 && changed.length === 1) return ok({ shell, ...longProcesses(hidden) })
  const problem = stderr.split('\n', 1)[0]!.slice(0, 300) || `exit code ${exit_code}`
  return without(`bubblewrap does not work on this machine: ${problem}`)
}

function longProcesses(hidden: readonly string[]): Pick<MachineSandbox, 'processes' | 'close'> {
  const processes = new RealProcesses(hidden)
  return { processes, close: () => processes.close() }
}

const without = (reason: string) =>
  fail(`ALLOW_SHELL is set, but no sandbox is available: ${reason}`)
