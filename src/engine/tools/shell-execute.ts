/**
 * `shell_execute`: the files of the working folder are handed to the shell, and what it changed is
 * written back, each under the condition that nobody has changed it meanwhile. The current folder
 * and exported variables lie in the run's home until it is deleted.
 */

import { LIMITS } from '../../core/limits.ts'
import { SHELL_SECONDS, shellExecute as tool } from '../../core/tools/builtin/shell-execute.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellResult, ShellState } from '../../ports/world.ts'
import { deleteFile, filesBelow, isStale, putFile, readFile } from '../layers/files.ts'
import { homeOfRun } from '../partition/home.ts'
import { getNamed, putNamed } from '../tenant/blobs.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'
import { isReserved, locate } from './paths.ts'
import { type Caller, performed, spaceOf } from './tool.ts'

interface Given {
  readonly command: string
  readonly timeout_seconds?: number
}

export const shellExecute = performed(tool, { perform })

const AT_ONCE = 16
const FRESH: ShellState = { cwd: '', env: {} }

async function perform(caller: Caller, given: Given): Promise<ToolAnswer> {
  const { world, signal } = caller
  const [files, state] = await Promise.all([handedIn(caller), readState(caller)])
  if (!files.ok) return bad(files.error)
  const timeoutMs = (given.timeout_seconds ?? SHELL_SECONDS) * 1_000
  const request = { ...state, command: given.command, files: files.value.files, timeoutMs }
  const ran = await world.shell!.run(request, signal)
  if (!ran.ok) return bad(`${ran.error}; no file was changed.`)
  const notes = [
    ...(await writeBack(caller, ran.value, files.value.etags)),
    ...(await keepState(caller, ran.value)),
  ]
  return { status: ran.value.exit_code === 0 ? 'ok' : 'error', text: shown(ran.value, notes) }
}

interface HandedIn {
  readonly files: readonly ShellFile[]
  readonly etags: ReadonlyMap<string, string>
}

/** All files that tools may read, or why there are too many. */
async function handedIn(caller: Caller): Promise<Outcome<HandedIn, string>> {
  const { place } = caller
  const most = LIMITS.shell_files
  const { files: all, isWhole } = await filesBelow(spaceOf(caller), place.root, most + 1)
  const wanted = all.filter(({ path }) => !isReserved(path, 'read'))
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  if (!isWhole || wanted.length > most)
    return fail(`the working folder has more than ${most} files, which is more than a command sees`)
  if (bytes > LIMITS.shell_bytes)
    return fail(`the working folder has ${bytes} bytes, and a command sees ${LIMITS.shell_bytes}`)
  const files: ShellFile[] = []
  const etags = new Map<string, string>()
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE)
    const read = await Promise.all(some.map(({ path }) => readFile(spaceOf(caller), path)))
    for (const [index, file] of read.entries()) {
      if (!file) continue
      const path = some[index]!.path.slice(place.root.length)
      files.push({ path, bytes: file.body })
      etags.set(path, file.etag)
    }
  }
  return ok({ files, etags })
}

/** Sentences about what could not be written. */
async function writeBack(
  caller: Caller,
  { changed, removed }: ShellResult,
  etags: HandedIn['etags'],
): Promise<string[]> {
  const write = async ({ path, bytes }: ShellFile): Promise<string | undefined> => {
    const key = locate(caller.place, path, 'write')
    if (!key.ok) return `${path} was not written: ${key.error}`
    const etag = etags.get(path)
    const expect = etag === undefined ? 'absent' : { etag }
    const put = await putFile(spaceOf(caller), key.value, bytes, expect)
    if (put.ok) return undefined
    return `${path} was not written: ${isStale(put.error) ? CHANGED : put.error.detail}`
  }
  const remove = async (path: string): Promise<string | undefined> => {
    const key = locate(caller.place, path, 'write')
    if (!key.ok) return `${path} was not removed: ${key.error}`
    const gone = await deleteFile(spaceOf(caller), key.value, { etag: etags.get(path)! })
    if (gone.ok) return undefined
    return `${path} was not removed: ${isStale(gone.error) ? CHANGED : gone.error.detail}`
  }
  const acts = [
    ...changed.map((file) => () => write(file)),
    ...removed.map((path) => () => remove(path)),
  ]
  const said: string[] = []
  for (let at = 0; at < acts.length; at += AT_ONCE) {
    const some = await Promise.all(acts.slice(at, at + AT_ONCE).map((act) => act()))
    said.push(...some.filter((one) => one !== undefined))
  }
  return said
}

const CHANGED = 'somebody else has changed it meanwhile'

const nameOf = ({ state }: Caller): string => `shell-${state.spec!.id}`

async function readState(caller: Caller): Promise<ShellState> {
  const { world, tenant, state } = caller
  const kept = await getNamed(world, homeOfRun(tenant, state.spec), nameOf(caller))
  return kept === undefined ? FRESH : (JSON.parse(kept) as ShellState)
}

async function keepState(caller: Caller, { cwd, env }: ShellResult): Promise<string[]> {
  const text = JSON.stringify({ cwd, env } satisfies ShellState)
  if (byteLength(text) > LIMITS.shell_state_bytes)
    return [`The variables take more than ${LIMITS.shell_state_bytes} bytes: they were forgotten.`]
  const { world, tenant, state } = caller
  await putNamed(world, homeOfRun(tenant, state.spec), nameOf(caller), text)
  return []
}

function shown({ exit_code, stdout, stderr, changed, removed }: ShellResult, notes: string[]) {
  const wrote = [
    ...(changed.length > 0 ? [`${changed.length} files written`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ]
  return [
    `exit code: ${exit_code}${wrote.length > 0 ? `; ${wrote.join(', ')}` : ''}`,
    ...notes.map((note) => `[${note}]`),
    ...(stdout === '' ? [] : ['stdout:', bounded(stdout)]),
    ...(stderr === '' ? [] : ['stderr:', bounded(stderr)]),
  ].join('\n')
}

function bounded(output: string): string {
  const bytes = byteLength(output)
  if (bytes <= LIMITS.shell_output_bytes) return output.replace(/\n$/, '')
  return `${cut(output, LIMITS.shell_output_bytes)}\n[cut: ${bytes} bytes in all]`
}
