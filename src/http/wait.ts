/** Following a run from a request: by the feed where there is one, else by looking again. */

import { isTerminal } from '../core/run/state.ts'
import type { Committed } from '../engine/log.ts'
import { lookAtRun } from '../engine/log.ts'
import type { FeedItem, World } from '../ports/world.ts'
import { refuse } from './problem.ts'

const LOOK_MS = 250
const LOOK_MAX_MS = 5_000

/** The run when it has ended, or as it stands after `ms`. 404 when there is none. */
export async function untilTerminal(
  world: World,
  partition: string,
  ms: number,
): Promise<Committed> {
  const end = world.clock.monotonic() + ms
  const news = watch(world, partition)
  try {
    for (;;) {
      const run = await lookAtRun(world, partition)
      if (!run) throw refuse('not_found', 'There is no such run.')
      const left = end - world.clock.monotonic()
      if (isTerminal(run.state) || left <= 0) return run
      await news.next(left)
    }
  } finally {
    news.close()
  }
}

export interface Watch {
  /** Resolves when the partition may have changed, at the latest after `ms`. */
  next(ms: number): Promise<void>
  /** Another partition whose changes count too. */
  add(partition: string): void
  close(): void
}

/** Looks again after 250 ms rising to 5 s, or at once when the feed says that something changed. */
export function watch(world: World, partition: string): Watch {
  let ring: (() => void) | undefined
  let rung = false
  let pause = LOOK_MS
  const deaf: (() => void)[] = []
  const add = (one: string): void => {
    const hear = (item: FeedItem): void => {
      if (item.type !== 'changed') return
      rung = true
      ring?.()
    }
    deaf.push(world.feed.subscribe(one, hear))
  }
  add(partition)
  return {
    add,
    async next(ms) {
      if (!rung) {
        const timer = new AbortController()
        const bell = new Promise<void>((resolve) => {
          ring = resolve
        })
        await Promise.race([bell, world.clock.sleep(Math.min(ms, pause), timer.signal)])
        timer.abort('over')
        ring = undefined
        pause = rung ? LOOK_MS : Math.min(LOOK_MAX_MS, pause * 2)
      }
      rung = false
    },
    close: () => {
      for (const unsubscribe of deaf) unsubscribe()
    },
  }
}
