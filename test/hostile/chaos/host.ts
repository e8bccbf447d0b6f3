/** The server that is killed: whoever asks it waits through its deaths and asks again. */

import { join } from 'node:path'
import type { Ask, Client, Open } from '../../support/launch.ts'
import { launchServer } from '../../support/launch.ts'
import { type Answer, persistently } from './ask.ts'
import { riddles } from './riddle.ts'

export interface Host {
  /** The life that goes on now; its port is another after each death. */
  server(): Client
  /** SIGKILL, and a successor on the same folder at once. */
  kill(): Promise<void>
  /** Repeats the request until it is answered, by whichever life. Give keys to what creates. */
  ask(path: string, init?: Ask): Promise<Answer>
  /** Tries that met a dead server or lost their answer with it. */
  lost(): number
  /** Everything that the server has printed, in all its lives. */
  printed(): string
}

/** Times are milliseconds since 1970. */
export interface Death {
  /** It was alive until then, and perhaps a little longer. */
  readonly at: number
  /** It was gone by then. */
  readonly goneAt: number
  /** When its successor was first seen to answer. */
  readonly answersAt: number
}
export interface MortalHost extends Host {
  /** Each kill, in order. */
  readonly deaths: readonly Death[]
  /** What the store has of these ids, as sentences. */
  riddles(ids: readonly string[]): Promise<string[]>
}

/** What the server itself has printed about the requests that these sentences name. */
export const explained = (sentences: readonly string[], printed: string): string[] =>
  sentences.map((sentence) => {
    const where = `"event":"error","where":"${/req_\w+/.exec(sentence)?.[0]}"`
    const at = printed.indexOf(where)
    return at < 0 ? sentence : `${sentence}\n${printed.slice(at, at + EXPLANATION)}`
  })
const EXPLANATION = 1_000

export async function startHost(
  env: Readonly<Record<string, string>>,
  open: Open,
): Promise<MortalHost> {
  let current = await launchServer({ env, open })
  const first = current
  const deaths: Death[] = []
  let lost = 0
  let before = ''
  const miss = (): void => {
    lost += 1
  }
  return {
    server: () => current,
    deaths,
    lost: () => lost,
    printed: () => before + current.process.output(),
    async kill() {
      const at = Date.now()
      await current.process.stop('SIGKILL')
      const goneAt = Date.now()
      before += current.process.output()
      current = await launchServer({ env, open, before: first })
      deaths.push({ at, goneAt, answersAt: Date.now() })
    },
    ask: (path, init) =>
      persistently(
        () => current,
        miss,
        path,
        () => init ?? {},
      ),
    riddles: (ids) => riddles([join(first.dataDir, 'strata.db')], ids),
  }
}
