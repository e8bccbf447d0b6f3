/** The server that is killed: whoever asks it waits through its deaths and asks again. */

import type { Ask, Open, Server } from '../support/launch.ts'
import { launchServer } from '../support/launch.ts'
import { type Answer, persistently } from './ask.ts'

export interface Host {
  /** The life that goes on now; its port is another after each death. */
  server(): Server
  /** SIGKILL, and a successor on the same folder at once. */
  kill(): Promise<void>
  /** Repeats the request until it is answered, by whichever life. Give keys to what creates. */
  ask(path: string, init?: Ask): Promise<Answer>
  /** Tries that met a dead server or lost their answer with it. */
  lost(): number
  /** Everything that the server has printed, in all its lives. */
  printed(): string
}

/** What the server itself has printed about the requests that these sentences name. */
export const explained = (sentences: readonly string[], printed: string): string[] =>
  sentences.map((sentence) => {
    const where = `"event":"error","where":"${/req_\w+/.exec(sentence)?.[0]}"`
    const at = printed.indexOf(where)
    return at < 0 ? sentence : `${sentence}\n${printed.slice(at, at + EXPLANATION)}`
  })
const EXPLANATION = 1_000

export async function startHost(env: Readonly<Record<string, string>>, open: Open): Promise<Host> {
  let current = await launchServer({ env, open })
  const first = current
  let lost = 0
  let before = ''
  const miss = (): void => {
    lost += 1
  }
  return {
    server: () => current,
    lost: () => lost,
    printed: () => before + current.process.output(),
    async kill() {
      await current.process.stop('SIGKILL')
      before += current.process.output()
      current = await launchServer({ env, open, before: first })
    },
    ask: (path, init) => persistently(() => current, miss, path, init),
  }
}
