/**
 * Runs local MCP servers as child processes, if the deployment allows them. A server gets a few
 * harmless environment variables and those of its entry, never the deployment's variables. Its
 * stderr is dropped to keep the log readable, except for one line in the error after an unexpected
 * exit.
 *
 * Each server leads a process group, so closing the transport ends all its child processes. First
 * stdin is closed, then the group is terminated, and then the group is killed.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { quoteText } from '../../lib/invisible-characters.ts'
import { messageIn } from '../mcp/envelope.ts'
import { ServerExited } from '../mcp/our-errors.ts'
import { OutboundRefused } from '../outbound/fetch.ts'
import { limit, Oversized, overLimit } from '../outbound/response-limit.ts'

/** Environment variables that could make a process run code other than its command. */
const LOADERS = /^(NODE_OPTIONS|LD_|DYLD_|BASH_ENV$|ENV$|PYTHONSTARTUP$|PERL5OPT$|RUBYOPT$)/

const LF = 10

/** Time that a server gets to exit after each shutdown step, in milliseconds. */
const GRACE_MS = 500
const OBEY_MS = 1_500
/**
 * Maximum wait for the last output, in milliseconds; surviving child processes may keep the pipe
 * open.
 */
const LAST_OUTPUT_MS = 200

/** Maximum wait for the exit of a process that no longer reads its input, in milliseconds. */
const EXIT_MS = 2_000

const STDERR_LENGTH = 8_192
const STDERR_SHOWN = 300

/** Creates a transport that starts its server process on connect and ends the process on close. */
export async function openStdio(server: ServerEntry): Promise<Transport> {
  if (server.command === null) throw new OutboundRefused('the server has no command')
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
  const variables = Object.entries(server.env).filter(([name]) => !LOADERS.test(name))
  const env = { ...getDefaultEnvironment(), ...Object.fromEntries(variables) }
  return new LocalServer(server, env)
}

/** Running child processes, killed when this process exits for any reason. */
const living = new Set<ChildProcess>()
let armed = false

function keep(child: ChildProcess): void {
  living.add(child)
  if (armed) return
  armed = true
  process.once('exit', () => {
    for (const child of living) kill(child, 'SIGKILL')
  })
}

class LocalServer implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #server: ServerEntry
  readonly #env: Readonly<Record<string, string>>
  /** Buffers received for the current incomplete line. */
  #received: Buffer[] = []
  #bytes = 0
  #child: ChildProcess | undefined
  /** How the process ended, once its last output has arrived; pending while it runs. */
  #exit: Promise<ServerExited> | undefined
  #hasAnswered = false
  #closing: Promise<void> | undefined

  constructor(server: ServerEntry, env: Readonly<Record<string, string>>) {
    this.#server = server
    this.#env = env
  }

  async start(): Promise<void> {
    const { command, args, cwd } = this.#server
    const child = spawn(command ?? '', [...args], {
      env: this.#env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
      ...(cwd === null ? {} : { cwd }),
    })
    this.#child = child
    keep(child)
    child.on('error', (error) => this.onerror?.(error))
    child.on('exit', () => {
      living.delete(child)
      kill(child, 'SIGKILL')
    })
    this.#exit = exitOf(child)
    void this.#reportEnd(child, this.#exit)
    child.stdin?.on('error', async (error) => {
      const cause = await this.#causeOf(error)
      if (cause === error) this.onerror?.(error)
    })
    child.stdout?.on('error', (error) => this.onerror?.(error))
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#read(chunk)
      // Output is paused between chunks, because the pipe may hold megabytes of messages.
      child.stdout?.pause()
      setImmediate(() => child.stdout?.resume())
    })
    try {
      await once(child, 'spawn')
    } catch (error) {
      // The process could not be started.
      living.delete(child)
      throw error
    }
  }

  /** Reports the process's exit, unless this side ended the process. */
  async #reportEnd(child: ChildProcess, exit: Promise<ServerExited>): Promise<void> {
    await new Promise<void>((resolve) => child.once('exit', () => resolve()))
    if (this.#closing === undefined) this.onerror?.(await exit)
    this.onclose?.()
  }

  /** Returns the reason for a broken pipe, which is the end of the process; else the error. */
  async #causeOf(error: Error): Promise<Error> {
    // This side ended the process, so its signal explains nothing.
    if (this.#closing !== undefined) return error
    return Promise.race([this.#exit ?? error, sleep(EXIT_MS, error, { ref: false })])
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin
    try {
      if (!input?.writable) throw new Error('the server process ended')
      if (!input.write(`${JSON.stringify(message)}\n`)) await once(input, 'drain')
    } catch (error) {
      throw await this.#causeOf(error as Error)
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (!child || child.pid === undefined || hasEnded(child)) return
    // A server that never sent a message has no state to clean up.
    if (!this.#hasAnswered) return kill(child, 'SIGKILL')
    const ended = once(child, 'exit')
    child.stdin?.end()
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })])
    if (!hasEnded(child)) kill(child, 'SIGTERM')
    await Promise.race([ended, sleep(OBEY_MS, undefined, { ref: false })])
    kill(child, 'SIGKILL')
  }

  #read(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      const line = Buffer.concat([...this.#received, chunk.subarray(from, end)]).toString()
      this.#received = []
      this.#bytes = 0
      from = end + 1
      this.#take(line)
    }
    const remaining = chunk.subarray(from)
    this.#received.push(remaining)
    this.#bytes += remaining.length
    if (this.#bytes <= LIMITS.tool_message_bytes) return
    const words = overLimit('a message from the server exceeds', limit('tool_message_bytes'))
    this.onerror?.(new Oversized(words))
    void this.close()
  }

  /**
   * Parses a line of output; ignores lines that are not messages, because programs print other
   * text.
   */
  #take(line: string): void {
    const message = messageIn(line)
    if (!message) return
    this.#hasAnswered = true
    try {
      this.onmessage?.(message)
    } catch (error) {
      this.onerror?.(error as Error)
    }
  }
}

/** Resolves once the process has ended and its last output has arrived, which may be later. */
async function exitOf(child: ChildProcess): Promise<ServerExited> {
  const stderr = tailOf(child.stderr)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await Promise.race([closed, sleep(LAST_OUTPUT_MS, undefined, { ref: false })])
  return new ServerExited(exitText(child, stderr()))
}

/** Collects the end of a stream; the returned function returns the collected text. */
function tailOf(stream: Readable | null): () => string {
  let tail = ''
  stream?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_LENGTH)
  })
  stream?.on('error', () => {})
  return () => tail
}

/**
 * Matches the line that contains the error, because Node prints a stack and its version after that
 * line.
 */
const ERROR_LINE = /^\S*(?:error|exception|panic)/i

function exitText({ exitCode, signalCode }: ChildProcess, stderr: string): string {
  const how = exitCode === null ? `was ended by ${signalCode}` : `exited with code ${exitCode}`
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  const line = lines.findLast((text) => ERROR_LINE.test(text)) ?? lines.at(-1)
  const words = line === undefined ? '' : `: ${quoteText(line.trim(), STDERR_SHOWN)}`
  return `the server ${how}${words}`
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

/** Signals the process group, or only the process if the group is missing or unsupported. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}
