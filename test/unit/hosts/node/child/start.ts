/** Starts one of the small programs beside this file and listens to the lines that it prints. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface Child {
  /** Everything printed so far. */
  readonly lines: readonly string[]
  /** Resolves when a line matches, or when the output ends. */
  until(matches: (line: string) => boolean): Promise<void>
  kill(): Promise<void>
}

/** With `maxFileKiB` the system refuses to let a file of the child grow beyond that. */
export function start(program: string, args: readonly string[], maxFileKiB?: number): Child {
  const path = new URL(program, import.meta.url).pathname
  const command = [process.execPath, path, ...args]
  const limit = maxFileKiB === undefined ? '' : `ulimit -f ${maxFileKiB}; `
  const child = spawn('bash', ['-c', `${limit}exec "$@"`, 'bash', ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = exit(child)
  const lines: string[] = []
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  let over = false
  createInterface(child.stdout!)
    .on('line', (line) => {
      lines.push(line)
      tell()
    })
    .on('close', () => {
      over = true
      tell()
    })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    // What it printed last is still on its way.
    while (!over) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  onTestFinished(kill)
  return {
    lines,
    until: (matches) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!over && !lines.some(matches)) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
      }),
    kill,
  }
}

const exit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.once('exit', () => resolve()))
