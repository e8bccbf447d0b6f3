/**
 * A process that dies: its store answers nothing any more from the commit on that a test names,
 * and what its queue held is lost. Its successor begins on the same store, with nothing in memory.
 */

import { resume } from '../../src/engine/worker/tick.ts'
import type { MemoryOverrides, MemoryWorld } from '../../src/hosts/memory/world.ts'
import type { HeadWrite, Store, Write } from '../../src/ports/world.ts'
import { settle, testWorld } from './drive.ts'

/** Whether the process dies at this commit: before it is made, or right after. */
export type Death = (
  partition: string,
  writes: readonly Write[],
  head: HeadWrite | undefined,
) => 'before' | 'after' | undefined

/** Runs what waits until the process is dead. */
export async function untilDead(world: MemoryWorld): Promise<void> {
  // What is under way when the process dies ends in errors that nobody hears.
  await settle(world).catch(() => undefined)
}

export interface Mortal {
  readonly world: MemoryWorld
  /** The next process: everything that is stored, nothing that was only known. */
  successor(): Promise<MemoryWorld>
}

export function mortal(death: Death, overrides: MemoryOverrides = {}): Mortal {
  const whole = testWorld(overrides)
  let dead = false
  const alive = <T>(act: () => Promise<T>): Promise<T> =>
    dead ? Promise.reject(new Error('this process is dead')) : act()
  const { store } = whole
  const failing: Store = {
    ...store,
    read: (...given) => alive(() => store.read(...given)),
    heads: (...given) => alive(() => store.heads(...given)),
    async commit(partition, writes, head) {
      return alive(async () => {
        const when = death(partition, writes, head)
        if (when === undefined) return store.commit(partition, writes, head)
        dead = true
        if (when === 'after') await store.commit(partition, writes, head)
        throw new Error('this process has died')
      })
    },
  }
  const { objects, clock, secrets } = whole
  return {
    world: testWorld({ ...overrides, store: failing, objects, clock, secrets }),
    async successor() {
      const settings = { ...overrides.settings, worker: 'successor' }
      const next = testWorld({ ...overrides, store, objects, clock, secrets, settings })
      await resume(next)
      await settle(next)
      return next
    },
  }
}
