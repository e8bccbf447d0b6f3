/**
 * `shell_start`, `shell_read`, `shell_write`, `shell_kill`: long-running processes over a copy of
 * the working folder. A process ends with its run and with its server. A later read then reports
 * that the process ended with unknown effects.
 */

import { shellKill as killTool } from '../../core/tools/builtin/shell-kill.ts'
import { shellRead as readTool } from '../../core/tools/builtin/shell-read.ts'
import { shellStart as startTool } from '../../core/tools/builtin/shell-start.ts'
import { shellWrite as writeTool } from '../../core/tools/builtin/shell-write.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { ProcessGone, ProcessRead } from '../../ports/world.ts'
import { runPartition } from '../partition/keys.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { readState } from './shell-execute.ts'
import { handedIn, writeBack, wroteWords } from './shell-files.ts'
import { type Caller, performed } from './tool.ts'

interface ProcessRef {
  readonly shell_id: string
}

export const shellStart = performed(startTool, { perform: start })
export const shellRead = performed(readTool, { perform: read })
export const shellWrite = performed(writeTool, { perform: write })
export const shellKill = performed(killTool, { perform: kill })

const ownerOf = ({ tenant, state }: Caller): string => runPartition(tenant, state.spec!.id)

async function start(caller: Caller, { command }: { command: string }): Promise<ToolAnswer> {
  const state = await readState(caller)
  const shellFiles = await handedIn(caller, `${state.cwd}\n${command}`)
  if (!shellFiles.ok) return bad(shellFiles.error)
  const { processes } = caller.world
  const started = await processes!.start(ownerOf(caller), {
    ...state,
    command,
    ...shellFiles.value,
  })
  if (!started.ok) return bad(started.error)
  const notes = shellFiles.value.notes.map((note) => `[${note}]`)
  return good([`shell_id: ${started.value}`, ...notes].join('\n'))
}

async function read(
  caller: Caller,
  { shell_id, wait_seconds = 0 }: ProcessRef & { wait_seconds?: number },
): Promise<ToolAnswer> {
  const { world, signal } = caller
  const waitMs = wait_seconds * 1_000
  return outputAnswer(
    caller,
    await world.processes!.read(ownerOf(caller), shell_id, waitMs, signal),
  )
}

async function write(caller: Caller, args: ProcessRef & { input: string }): Promise<ToolAnswer> {
  const { processes } = caller.world
  const result = await processes!.write(ownerOf(caller), args.shell_id, args.input)
  return result.ok ? good('written') : goneAnswer(result.error)
}

async function kill(caller: Caller, { shell_id }: ProcessRef): Promise<ToolAnswer> {
  return outputAnswer(caller, await caller.world.processes!.kill(ownerOf(caller), shell_id))
}

/** Returns the tool result for a process of an earlier server, whose effects are unknown. */
const goneAnswer = ({ kind, message }: ProcessGone): ToolAnswer =>
  kind === 'restarted' ? { status: 'unknown', text: message } : bad(message)

async function outputAnswer(
  caller: Caller,
  result: Outcome<ProcessRead, ProcessGone>,
): Promise<ToolAnswer> {
  if (!result.ok) return goneAnswer(result.error)
  const { output, dropped: droppedCount, exit_code, notes, ended } = result.value
  const all = [...notes, ...(ended ? await writeBack(caller, ended, ended.etags) : [])]
  const first = exit_code === null ? 'running' : `exit code: ${exit_code}`
  const lines = [
    [first, ...(ended ? wroteWords(ended) : [])].join('; '),
    ...all.map((note) => `[${note}]`),
    ...(droppedCount > 0 ? [`[cut: first ${droppedCount} bytes]`] : []),
    ...(output === '' ? [] : ['output:', output.replace(/\n$/, '')]),
  ]
  return good(lines.join('\n'))
}
