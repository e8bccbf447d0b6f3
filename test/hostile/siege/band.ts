/** The attackers' process, as its parent has it: orders go out, words come back. */

import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Open } from '../../support/launch.ts'
import type { Order, Told, Word } from './attackers.ts'

const NICE = 10

export interface Band {
  readonly modelUrl: string
  besiege(url: string, keys: Readonly<Record<string, string>>, node: boolean): void
  /** Lets one attack go on for so long; settles with what the server did. */
  attack(name: string, ms: number, alone?: boolean): Promise<Told>
  /** Ends all that are under way. */
  stop(): void
}

export async function startBand(open: Open): Promise<Band> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'attackers.ts'), { stdio: 'inherit' })
  open.push(async () => void child.kill('SIGKILL'))
  // Attackers have machines of their own: here they take what the server leaves.
  setPriority(child.pid ?? 0, NICE)
  const waiting = new Map<string, (told: Told) => void>()
  const order = (one: Order): void => void child.send(one)
  const modelUrl = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the attackers are gone')))
    child.on('message', (word: Word) => {
      if (word.type === 'ready') resolve(word.modelUrl)
      else waiting.get(word.name)?.(word.told)
    })
  })
  child.once('exit', () => {
    for (const [name, resolve] of waiting)
      resolve({ counts: {}, runs: [], broken: [`the attackers died during ${name}`], assaults: 0 })
  })
  return {
    modelUrl,
    besiege: (url, keys, node) => order({ type: 'server', url, keys, node }),
    attack: (name, ms, alone = false) =>
      new Promise((resolve) => {
        waiting.set(name, (told) => {
          waiting.delete(name)
          resolve(told)
        })
        order({ type: 'begin', name, ms, alone })
      }),
    stop: () => order({ type: 'stop' }),
  }
}
