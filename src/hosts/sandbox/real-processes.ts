/**
 * Manages long-running processes in sandboxes of this machine, in an in-memory table by run. Unread
 * output is buffered up to a limit; the oldest output is dropped first.
 */

import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type {
  ProcessEnd,
  Processes,
  ProcessGone,
  ProcessRead,
  ProcessRequest,
} from '../../ports/shell.ts'
import { folderFor } from './real-shell.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { changesIn, type SandboxFolder } from './sandbox-folder.ts'

interface Process {
  readonly owner: string
  readonly request: ProcessRequest
  readonly folder: SandboxFolder
  readonly sandbox: Sandbox
  unread: Buffer[]
  bytes: number
  dropped: number
  exit_code: number | null
  notes: string[]
  /** Set when the process has ended, until its end is reported. */
  ended: ProcessEnd | undefined
  /** Resolves at the next output or end of the process. */
  news: PromiseWithResolvers<void>
}

/** Maximum CPU time of each process, in seconds: one hour. */
const CPU_SECONDS = 3_600
/** Number of bytes read from continuous output before a pause. */
const BURST_BYTES = 1_048_576
const BURST_MS = 100

export class RealProcesses implements Processes {
  readonly #all = new Map<string, Process>()
  readonly #hidden: readonly string[]
  /** ID of this server process; a sandbox process with another server ID was lost in a restart. */
  readonly #server = Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex')
  #count = 0
  #starting = 0

  constructor(hidden: readonly string[]) {
    this.#hidden = hidden
  }

  async start(owner: string, request: ProcessRequest): Promise<Outcome<string, string>> {
    const living = [...this.#all.values()].filter(({ exit_code }) => exit_code === null)
    if (living.filter((entry) => entry.owner === owner).length >= LIMITS.shells_per_run)
      return fail(`This run has reached its limit of ${LIMITS.shells_per_run} live processes.`)
    if (living.length + this.#starting >= LIMITS.shells_per_server)
      return fail(`This server's limit is ${LIMITS.shells_per_server} processes.`)
    this.#starting += 1
    const folder = await folderFor(request).finally(() => {
      this.#starting -= 1
    })
    if (!folder.ok) return folder
    const bounds = { cpuSeconds: CPU_SECONDS, stdin: true }
    const sandbox = openSandbox(folder.value, bounds, this.#hidden)
    this.#count += 1
    const id = `sh${this.#count}-${this.#server}`
    const process: Process = {
      ...{ owner, request, folder: folder.value, sandbox },
      ...{ unread: [], bytes: 0, dropped: 0, exit_code: null, notes: [], ended: undefined },
      news: Promise.withResolvers(),
    }
    this.#all.set(id, process)
    void follow(process)
    return ok(id)
  }

  async read(
    owner: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Outcome<ProcessRead, ProcessGone>> {
    const lookup = this.#find(owner, id)
    if (!lookup.ok) return lookup
    const process = lookup.value
    if (waitMs > 0 && process.bytes === 0 && process.exit_code === null) {
      const timer = new AbortController()
      const over = AbortSignal.any([timer.signal, signal])
      const late = sleep(waitMs, undefined, { signal: over }).catch(() => {})
      await Promise.race([process.news.promise, late]).finally(() => timer.abort())
      // Waits briefly, because the end of a process arrives shortly after its last output.
      if (!signal.aborted) await sleep(BURST_MS)
    }
    return ok(takeUnread(process))
  }

  async write(owner: string, id: string, input: string): Promise<Outcome<undefined, ProcessGone>> {
    const lookup = this.#find(owner, id)
    if (!lookup.ok) return lookup
    const { exit_code, sandbox } = lookup.value
    if (exit_code !== null || !sandbox.stdin?.writable)
      return fail({ kind: 'ended', message: `${id} has ended; nothing was written.` })
    if (sandbox.stdin.writableLength > LIMITS.shell_output_bytes)
      return fail({ kind: 'ended', message: `${id} does not read; nothing was written.` })
    sandbox.stdin.write(input)
    return ok(undefined)
  }

  async kill(owner: string, id: string): Promise<Outcome<ProcessRead, ProcessGone>> {
    const lookup = this.#find(owner, id)
    if (!lookup.ok) return lookup
    const process = lookup.value
    process.sandbox.stop('it was killed')
    while (process.exit_code === null) await process.news.promise
    return ok(takeUnread(process))
  }

  owners(): string[] {
    return [...new Set([...this.#all.values()].map(({ owner }) => owner))]
  }

  end(owner: string): void {
    for (const [id, process] of this.#all) {
      if (process.owner !== owner) continue
      process.sandbox.stop('its run has ended')
      this.#all.delete(id)
    }
  }

  async close(): Promise<void> {
    const all = [...this.#all.values()]
    for (const { sandbox } of all) sandbox.stop('the server is stopping')
    for (const process of all) while (process.exit_code === null) await process.news.promise
  }

  #find(owner: string, id: string): Outcome<Process, ProcessGone> {
    const entry = this.#all.get(id)
    if (entry?.owner === owner) return ok(entry)
    const [, server = this.#server] = /^sh\d+-([0-9a-f]{8})$/.exec(id) ?? []
    if (server !== this.#server) return fail({ kind: 'restarted', message: RESTARTED })
    return fail({ kind: 'unknown', message: 'This run has no process with that shell_id.' })
  }
}

const RESTARTED =
  'The process ended when its server restarted. What it had done by then is unknown, ' +
  'and its file changes were not stored. Restart it if needed.'

/** Follows a process until it has ended and its file changes are known. */
async function follow(process: Process): Promise<void> {
  const { sandbox, folder, request } = process
  const outputs = [sandbox.stdout, sandbox.stderr].map((stream) => collectOutput(process, stream))
  sandbox.said.resume()
  const [{ code, why: reason }] = await Promise.all([sandbox.ended, ...outputs])
  if (reason !== undefined) process.notes.push(`ended because ${reason}`)
  const changes = await changesIn(folder.work, request.files)
  if (changes.ok) {
    process.notes.push(...changes.value.notes)
    process.ended = { ...changes.value, etags: request.etags }
  } else process.notes.push(changes.error)
  await folder.remove()
  process.exit_code = code
  tell(process)
}

function tell(process: Process): void {
  process.news.resolve()
  process.news = Promise.withResolvers()
}

async function collectOutput(process: Process, stream: Readable): Promise<void> {
  let burst = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      process.unread.push(Buffer.from(piece))
      process.bytes += piece.length
      while (process.bytes > LIMITS.shell_output_bytes) dropSome(process)
      tell(process)
      burst += piece.length
      if (burst < BURST_BYTES) continue
      burst = 0
      await sleep(BURST_MS)
    }
  } catch {
    // The output stream failed early; output received before is kept.
  }
}

function dropSome(process: Process): void {
  const [first] = process.unread
  const less = Math.min(first!.length, process.bytes - LIMITS.shell_output_bytes)
  if (less === first!.length) process.unread.shift()
  else process.unread[0] = first!.subarray(less)
  process.bytes -= less
  process.dropped += less
}

function takeUnread(process: Process): ProcessRead {
  const { unread, dropped: droppedBytes, exit_code, notes, ended } = process
  Object.assign(process, { unread: [], bytes: 0, dropped: 0, notes: [], ended: undefined })
  const output = new TextDecoder().decode(Buffer.concat(unread))
  return { output, dropped: droppedBytes, exit_code, notes, ended }
}
