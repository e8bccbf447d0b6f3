/**
 * Local MCP servers as child processes, where the deployment allows them. A server sees a few
 * harmless variables and those of its entry, never the deployment's; its stderr is dropped, because
 * it would mix with our own log and may hold secrets.
 *
 * Each leads a process group of its own, so that closing it ends everything that it has started:
 * first its input ends, then the group is asked, then it is killed.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { Refused } from '../outbound/fetch.ts'

/** Variables by which a file could make the process run other code than its command names. */
const LOADERS = /^(NODE_OPTIONS|LD_|DYLD_|BASH_ENV$|ENV$|PYTHONSTARTUP$|PERL5OPT$|RUBYOPT$)/

/** How long a server may take to end by itself, and to obey, in ms. */
const GRACE_MS = 500
const OBEY_MS = 1_500

/** A transport that starts its process when the client connects, and ends it on close. */
export async function openStdio(server: ServerEntry): Promise<Transport> {
  if (server.command === null) throw new Refused('the server has no command')
  const [{ getDefaultEnvironment }, { ReadBuffer: Buffered, serializeMessage }] = await Promise.all(
    [import('@modelcontextprotocol/client/stdio'), import('@modelcontextprotocol/client')],
  )
  const given = Object.entries(server.env).filter(([name]) => !LOADERS.test(name))
  const env = { ...getDefaultEnvironment(), ...Object.fromEntries(given) }
  const received = new Buffered({ maxBufferSize: LIMITS.tool_message_bytes })
  return new LocalServer(server, { env, received, text: serializeMessage })
}

/** Those that live: this process takes them with it, whatever asks it to end. */
const living = new Set<ChildProcess>()
let armed = false

function keep(child: ChildProcess): void {
  living.add(child)
  if (armed) return
  armed = true
  process.once('exit', () => {
    for (const one of living) kill(one, 'SIGKILL')
  })
}

interface Means {
  readonly env: Readonly<Record<string, string>>
  readonly received: ReadBuffer
  readonly text: (message: JSONRPCMessage) => string
}

class LocalServer implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #server: ServerEntry
  readonly #means: Means
  #child: ChildProcess | undefined
  #answered = false
  #closing: Promise<void> | undefined

  constructor(server: ServerEntry, means: Means) {
    this.#server = server
    this.#means = means
  }

  async start(): Promise<void> {
    const { command, args, cwd } = this.#server
    const child = spawn(command ?? '', [...args], {
      env: this.#means.env,
      stdio: ['pipe', 'pipe', 'ignore'],
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
      this.onclose?.()
    })
    child.stdin?.on('error', (error) => this.onerror?.(error))
    child.stdout?.on('error', (error) => this.onerror?.(error))
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#read(chunk)
      // What waits in the pipe is megabytes of messages: others have their turn in between.
      child.stdout?.pause()
      setImmediate(() => child.stdout?.resume())
    })
    try {
      await once(child, 'spawn')
    } catch (error) {
      // There is no such program.
      living.delete(child)
      throw error
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin
    if (!input?.writable) throw new Error('the server has ended')
    if (!input.write(this.#means.text(message))) await once(input, 'drain')
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (!child || child.pid === undefined || hasEnded(child)) return
    // Who never answered has begun nothing that it would have to tidy up.
    if (!this.#answered) return kill(child, 'SIGKILL')
    const ended = once(child, 'exit')
    child.stdin?.end()
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })])
    if (!hasEnded(child)) kill(child, 'SIGTERM')
    await Promise.race([ended, sleep(OBEY_MS, undefined, { ref: false })])
    kill(child, 'SIGKILL')
  }

  #read(chunk: Buffer): void {
    const { received } = this.#means
    try {
      received.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    for (;;) {
      try {
        const message = received.readMessage()
        if (message === null) return
        this.#answered = true
        this.onmessage?.(message)
      } catch (error) {
        // A line that is no message: the rest is read all the same.
        this.onerror?.(error as Error)
      }
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

/** To the whole group; where it is gone already, or groups are unknown, to what is left. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}
