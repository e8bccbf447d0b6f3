/**
 * `shell_execute`: the shell gets copies of the working folder's files. Each of its changes is
 * written back only if the stored file is unchanged since. The current folder and exported
 * variables are stored with the run's bodies and deleted with them.
 */

import { LIMITS } from '../../core/limits.ts'
import { SHELL_SECONDS, shellExecute as tool } from '../../core/tools/builtin/shell-execute.ts'
import { byteLength } from '../../lib/bytes.ts'
import type { ShellResult, ShellState } from '../../ports/world.ts'
import { homeOfRun } from '../partition/home.ts'
import { getNamed, putNamed } from '../tenant/blobs.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'
import { handedIn, truncateOutput, writeBack, wroteWords } from './shell-files.ts'
import { type Caller, performed } from './tool.ts'

interface Args {
  readonly command: string
  readonly timeout_seconds?: number
}

export const shellExecute = performed(tool, { perform })

const FRESH: ShellState = { cwd: '', env: {} }

async function perform(caller: Caller, args: Args): Promise<ToolAnswer> {
  const { world, signal } = caller
  const state = await readState(caller)
  const files = await handedIn(caller, `${state.cwd}\n${args.command}`)
  if (!files.ok) return bad(files.error)
  const timeoutMs = (args.timeout_seconds ?? SHELL_SECONDS) * 1_000
  const { files: shellFiles, skills, etags } = files.value
  const request = { ...state, command: args.command, files: shellFiles, skills, timeoutMs }
  const ran = await world.shell!.run(request, signal)
  if (!ran.ok) return bad(`${ran.error}; no file was changed.`)
  const notes = [
    ...(ran.value.notes ?? []),
    ...files.value.notes,
    ...(await writeBack(caller, ran.value, etags)),
    ...(await keepState(caller, ran.value)),
  ]
  return { status: ran.value.exit_code === 0 ? 'ok' : 'error', text: resultText(ran.value, notes) }
}

const nameOf = ({ state }: Caller): string => `shell-${state.spec!.id}`

export async function readState(caller: Caller): Promise<ShellState> {
  const { world, tenant, state } = caller
  const savedState = await getNamed(world, homeOfRun(tenant, state.spec), nameOf(caller))
  return savedState === undefined ? FRESH : (JSON.parse(savedState) as ShellState)
}

async function keepState(caller: Caller, { cwd, env }: ShellResult): Promise<string[]> {
  const text = JSON.stringify({ cwd, env } satisfies ShellState)
  if (byteLength(text) > LIMITS.shell_state_bytes)
    return [`The variables exceed ${LIMITS.shell_state_bytes} bytes and were discarded.`]
  const { world, tenant, state } = caller
  await putNamed(world, homeOfRun(tenant, state.spec), nameOf(caller), text)
  return []
}

function resultText(ran: ShellResult, notes: string[]) {
  const { exit_code, stdout, stderr, dropped: droppedCount = 0 } = ran
  return [
    `exit code: ${[exit_code, ...joined(wroteWords(ran))].join('; ')}`,
    ...notes.map((note) => `[${note}]`),
    ...(stdout === '' ? [] : ['stdout:', truncateOutput(stdout)]),
    ...(stderr === '' ? [] : ['stderr:', truncateOutput(stderr)]),
    ...(droppedCount > 0 ? [`[cut: ${droppedCount} more bytes]`] : []),
  ].join('\n')
}

const joined = (words: string[]): string[] => (words.length > 0 ? [words.join(', ')] : [])
