/** The server that is killed: whoever asks it waits through its deaths and asks again. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, Open, Server } from '../support/launch.ts'
import { launchServer } from '../support/launch.ts'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface Host {
  /** The life that goes on now; its port is another after each death. */
  server(): Server
  /** SIGKILL, and a successor on the same folder at once. */
  kill(): Promise<void>
  /** Repeats the request until it is answered, by whichever life. Give keys to what creates. */
  ask(path: string, init?: Ask): Promise<Answer>
  /** Tries that met a dead server or lost their answer with it. */
  lost(): number
}

const RETRY_MS = 50
const PATIENCE_MS = 30_000

export async function startHost(env: Readonly<Record<string, string>>, open: Open): Promise<Host> {
  let current = await launchServer({ env, open })
  const first = current
  let lost = 0
  return {
    server: () => current,
    lost: () => lost,
    async kill() {
      await current.process.stop('SIGKILL')
      current = await launchServer({ env, open, before: first })
    },
    async ask(path, init) {
      const end = performance.now() + PATIENCE_MS
      for (;;) {
        try {
          const response = await current.ask(path, init)
          const text = await response.text()
          const body = text === '' ? {} : (JSON.parse(text) as Answer['body'])
          return { status: response.status, body }
        } catch (error) {
          lost += 1
          if (performance.now() > end) throw error
          await sleep(RETRY_MS)
        }
      }
    },
  }
}
