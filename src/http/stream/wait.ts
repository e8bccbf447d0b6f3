/** Waits for a run in a request, notified by the feed if available, otherwise by polling. */

import type { RunState } from '../../core/run/state/state.ts'
import { runLogType } from '../../engine/logs/run.ts'
import type { Committed } from '../../engine/partition/log.ts'
import { readEnd, readLogCached } from '../../engine/partition/log.ts'
import type { AnyFact, AnyState, LogType } from '../../engine/partition/log-type.ts'
import { awaitsFunctions } from '../../engine/run/caller-tools.ts'
import type { FeedItem, World } from '../../ports/world.ts'
import { refuse } from '../request/problem.ts'

const POLL_MS = 250
const POLL_MAX_MS = 1_000

/**
 * Returns the run once it has ended or waits for results of the caller's tools, or its state after
 * `ms` milliseconds. `known` is a recent state. Rejects an unknown run with status 404.
 */
export async function untilTerminal(
  world: World,
  partition: string,
  ms: number,
  initial?: Committed,
): Promise<Committed> {
  const over = (state: RunState) => hasEnded(state) || awaitsFunctions(state)
  const run = await untilOver(world, runLogType, { partition, ms, known: initial, over })
  if (!run) throw refuse('not_found', 'Run not found.')
  return run
}

const hasEnded = ({ ended_at }: AnyState): boolean => ended_at !== null

/**
 * Waits only for the end of a run or a fan-out; resolves to undefined if the run or fan-out does
 * not exist.
 */
export const untilEnded = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  ms: number,
): Promise<Committed<S, F> | undefined> => untilOver(world, kind, { partition, ms, over: hasEnded })

interface Wait<S extends AnyState, F extends AnyFact> {
  readonly partition: string
  readonly ms: number
  readonly known?: Committed<S, F> | undefined
  readonly over: (state: S) => boolean
}

async function untilOver<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  wait: Wait<S, F>,
): Promise<Committed<S, F> | undefined> {
  const { partition, ms } = wait
  if (world.feed.changed || ms <= 0) return untilChanged(world, kind, wait)
  let isAgain = false
  return until(world, ms, async (news) => {
    news.add(partition)
    // If a run ended in this process after the first read, its cached end is used.
    const read = isAgain ? readEnd : readLogCached
    isAgain = true
    const log = await read(world, kind, partition)
    const over = log === undefined || wait.over(log.state)
    return { found: log, over, seq: log?.head.seq ?? 0 }
  })
}

async function untilChanged<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  { partition, ms, known: initial, over }: Wait<S, F>,
): Promise<Committed<S, F> | undefined> {
  const end = world.clock.monotonic() + ms
  let log = initial ?? (await readLogCached(world, kind, partition))
  while (log !== undefined && !over(log.state)) {
    const remainingMs = end - world.clock.monotonic()
    if (remainingMs <= 0) break
    await world.feed.changed?.(partition, log.version, remainingMs)
    log = await readEnd(world, kind, partition)
  }
  return log
}

/**
 * Returns the result once the wait is over, or the state after `ms` milliseconds. `news` receives
 * the partitions to follow; `seq` changes when new data was read.
 */
export async function until<T>(
  world: World,
  ms: number,
  read: (
    news: Watch,
  ) => Promise<{ readonly found: T; readonly over: boolean; readonly seq: number | string }>,
): Promise<T> {
  const end = world.clock.monotonic() + ms
  const news = watch(world)
  let lastSeq: number | string | undefined
  try {
    for (;;) {
      const { found: result, over, seq } = await read(news)
      const remainingMs = end - world.clock.monotonic()
      if (over || remainingMs <= 0) return result
      if (lastSeq !== undefined && seq !== lastSeq) news.hurry()
      lastSeq = seq
      await news.next(remainingMs)
    }
  } finally {
    news.close()
  }
}

export interface Watch {
  /** Resolves when a watched partition may have changed, or after `ms` milliseconds. */
  next(ms: number): Promise<void>
  /** Adds a partition to watch; adding the same partition twice has no effect. */
  add(partition: string): void
  /** Resets the polling interval to 250 ms, because further changes may follow soon. */
  hurry(): void
  close(): void
}

/**
 * Watches partitions: polls at an interval that rises from 250 ms to 1 s, or at once after a
 * notification from the feed.
 */
export function watch(world: World, ...partitions: readonly string[]): Watch {
  let ring: (() => void) | undefined
  let hasNews = false
  let pause = POLL_MS
  const subscriptions = new Map<string, () => void>()
  const add = (partition: string): void => {
    if (subscriptions.has(partition)) return
    const onItem = (item: FeedItem): void => {
      if (item.type !== 'changed') return
      hasNews = true
      ring?.()
    }
    subscriptions.set(partition, world.feed.subscribe(partition, onItem))
  }
  for (const partition of partitions) add(partition)
  return {
    add,
    async next(ms) {
      if (!hasNews) {
        const timer = new AbortController()
        const bell = new Promise<void>((resolve) => {
          ring = resolve
        })
        await Promise.race([bell, world.clock.sleep(Math.min(ms, pause), timer.signal)])
        timer.abort('over')
        ring = undefined
        pause = hasNews ? POLL_MS : Math.min(POLL_MAX_MS, pause * 2)
      }
      hasNews = false
    },
    hurry: () => {
      pause = POLL_MS
    },
    close: () => {
      for (const unsubscribe of subscriptions.values()) unsubscribe()
    },
  }
}
