/**
 * `shell_start`, `shell_read`, `shell_write`, `shell_kill`: long processes over a copy of the
 * working folder. They die with the run and with the server that runs them; a read afterwards says
 * so, and that what they had done is unknown.
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

interface Named {
  readonly shell_id: string
}

export const shellStart = performed(startTool, { perform: start })
export const shellRead = performed(readTool, { perform: read })
export const shellWrite = performed(writeTool, { perform: write })
export const shellKill = performed(killTool, { perform: kill })

const ownerOf = ({ tenant, state }: Caller): string => runPartition(tenant, state.spec!.id)

async function start(caller: Caller, { command }: { command: string }): Promise<ToolAnswer> {
  const state = await readState(caller)
  const handed = await handedIn(caller, `${state.cwd}\n${command}`)
  if (!handed.ok) return bad(handed.error)
  const { processes } = caller.world
  const started = await processes!.start(ownerOf(caller), { ...state, command, ...handed.value })
  if (!started.ok) return bad(started.error)
  const notes = handed.value.notes.map((note) => `[${note}]`)
  return good([`shell_id: ${started.value}`, ...notes].join('\n'))
}

async function read(
  caller: Caller,
  { shell_id, wait_seconds = 0 }: Named & { wait_seconds?: number },
): Promise<ToolAnswer> {
  const { world, signal } = caller
  const waitMs = wait_seconds * 1_000
  return shown(caller, await world.processes!.read(ownerOf(caller), shell_id, waitMs, signal))
}

async function write(caller: Caller, given: Named & { input: string }): Promise<ToolAnswer> {
  const { processes } = caller.world
  const written = await processes!.write(ownerOf(caller), given.shell_id, given.input)
  return written.ok ? good('written') : gone(written.error)
}

async function kill(caller: Caller, { shell_id }: Named): Promise<ToolAnswer> {
  return shown(caller, await caller.world.processes!.kill(ownerOf(caller), shell_id))
}

/** Answer for a process of an earlier server, whose effects are unknown. */
const gone = ({ kind, message }: ProcessGone): ToolAnswer =>
  kind === 'restarted' ? { status: 'unknown', text: message } : bad(message)

async function shown(
  caller: Caller,
  found: Outcome<ProcessRead, ProcessGone>,
): Promise<ToolAnswer> {
  if (!found.ok) return gone(found.error)
  const { output, dropped, exit_code, notes, ended } = found.value
  const all = [...notes, ...(ended ? await writeBack(caller, ended, ended.etags) : [])]
  const first = exit_code === null ? 'running' : `exit code: ${exit_code}`
  const lines = [
    [first, ...(ended ? wroteWords(ended) : [])].join('; '),
    ...all.map((note) => `[${note}]`),
    ...(dropped > 0 ? [`[cut: ${dropped} bytes before]`] : []),
    ...(output === '' ? [] : ['output:', output.replace(/\n$/, '')]),
  ]
  return good(lines.join('\n'))
}
