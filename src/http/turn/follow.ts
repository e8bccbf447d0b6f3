/** Follows a turn of a run: reads it once, waits for it, or streams it. */

import { parsePartition } from '../../engine/partition/keys.ts'
import type { World } from '../../ports/world.ts'
import { refuse } from '../request/problem.ts'
import type { Sink } from '../stream/sse.ts'
import { RunLog, streamTail, type Tail, WAIT_MS } from '../stream/tail.ts'
import { watch } from '../stream/wait.ts'
import { type TurnView, viewTurn } from './view.ts'

type Read = () => Promise<TurnView>

/** Returns a reader for the turn; refuses an unknown turn with 404. */
function turnOf(world: World, partition: string, index: number): Read {
  const log = new RunLog(world, partition)
  const { tenant } = parsePartition(partition)
  return async () => {
    const view = await viewTurn(world, tenant, await log.read(), index)
    if (!view) throw refuse('not_found', 'Response not found.')
    return view
  }
}

/** Reads the turn; refuses an unknown turn with 404. */
export const readTurn = (world: World, partition: string, index: number): Promise<TurnView> =>
  turnOf(world, partition, index)()

/** Returns the turn at its end, or its state after the time-out. */
export async function untilTurn(world: World, partition: string, index: number): Promise<TurnView> {
  const read = turnOf(world, partition, index)
  const end = world.clock.monotonic() + WAIT_MS
  const news = watch(world, partition)
  try {
    for (;;) {
      const view = await read()
      const remainingMs = end - world.clock.monotonic()
      if (view.end !== undefined || remainingMs <= 0) return view
      await news.next(remainingMs)
    }
  } finally {
    news.close()
  }
}

export interface TurnEncoder extends Omit<Tail, 'facts'> {
  /** Sends all new events; returns whether they include the end. */
  tell(view: TurnView): boolean
}

/** Streams a turn as server-sent events; `begin` receives the sender. */
export function streamTurn(
  world: World,
  partition: string,
  index: number,
  headers: Readonly<Record<string, string>>,
  begin: (sink: Sink) => TurnEncoder,
): Response {
  const { tenant } = parsePartition(partition)
  return streamTail(world, partition, headers, (sink) => {
    const encoder = begin(sink)
    return {
      piece: (...piece) => encoder.piece(...piece),
      reset: (step) => encoder.reset(step),
      late: () => encoder.late?.(),
      async facts(all) {
        const view = await viewTurn(world, tenant, all, index)
        return view !== undefined && encoder.tell(view)
      },
    }
  })
}
