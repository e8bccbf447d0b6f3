/** Reads a turn of a run once, waits for its end, or streams it. */

import { parsePartition } from '../../engine/partition/keys.ts'
import type { World } from '../../ports/world.ts'
import { refuse } from '../request/problem.ts'
import type { Sink } from '../stream/sse.ts'
import { RunLog, streamTail, type Tail, WAIT_MS } from '../stream/tail.ts'
import { watch } from '../stream/wait.ts'
import { type TurnView, viewTurn } from './view.ts'

type Read = () => Promise<TurnView>

/** Returns a function that reads the turn; an unknown turn is rejected with status 404. */
function turnOf(world: World, partition: string, index: number): Read {
  const log = new RunLog(world, partition)
  const { tenant } = parsePartition(partition)
  return async () => {
    const view = await viewTurn(world, tenant, await log.read(), index)
    if (!view) throw refuse('not_found', 'Response not found.')
    return view
  }
}

/** Reads the current state of a turn; rejects an unknown turn with status 404. */
export const readTurn = (world: World, partition: string, index: number): Promise<TurnView> =>
  turnOf(world, partition, index)()

/** Returns the turn once it has ended, or its state after the time-out. */
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
  /** Sends all new events of the turn; returns whether they include the turn's end. */
  tell(view: TurnView): boolean
}

/** Streams a turn as server-sent events; `begin` receives the function that sends events. */
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
