/**
 * Starting a program and knowing when it is ready: by a line that it prints, or by an address that
 * answers. What was started is stopped by its own id, and only that.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  /** Everything it has printed so far, both streams. */
  output(): string
  /** The match of a line, past or future; an error when the process ends or minutes pass before. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it (SIGTERM unless told otherwise) and waits until it is gone; SIGKILL after 5 s. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface StartOptions {
  readonly cwd?: string
  /** The whole environment; nothing is added. */
  readonly env?: Readonly<Record<string, string>>
}

const READY_MS = 240_000
const STOP_MS = 5_000
const LOWEST_PORT = 20_000
const PORTS = 12_000

/** Starts `node <args>` with the Node that runs this file. */
export const startNode = (args: readonly string[], options: StartOptions = {}): Started =>
  startProcess(process.execPath, args, options)

/** Starts a program. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): Started {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? {},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // When this process crashes, what it started goes with it.
  const abandon = (): unknown => child.kill('SIGKILL')
  process.once('exit', abandon)
  child.once('exit', () => process.off('exit', abandon))
  let output = ''
  const hear = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const gone = () => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    async line(pattern) {
      for (let waited = 0; waited < READY_MS; waited += 10) {
        const match = pattern.exec(output)
        if (match) return match
        if (gone()) break
        await sleep(10)
      }
      throw new Error(`${args.join(' ')} never printed ${pattern}:\n${output}`)
    },
    async stop(signal = 'SIGTERM') {
      if (gone()) return
      const exit = once(child, 'exit')
      child.kill(signal)
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await exit
      clearTimeout(late)
    },
  }
}

/** Waits until something answers HTTP at this address, however it answers. */
export async function untilAnswers(url: string): Promise<void> {
  const end = performance.now() + READY_MS
  while (performance.now() < end) {
    try {
      const response = await fetch(url)
      await response.body?.cancel()
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error(`nothing answers at ${url}`)
}

/**
 * A port that was free a moment ago, for programs that cannot choose one themselves. It lies below
 * those that systems hand out on their own, so nothing takes it by chance before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(PORTS * Math.random())
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
