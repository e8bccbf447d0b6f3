/** Follows a turn of a run: its facts as they are committed, its text as it comes. */

import type { RunFact, Stamped } from '../../core/run/facts.ts'
import { factKey, parsePartition } from '../../engine/partition/keys.ts'
import { factsAfter } from '../../engine/partition/log.ts'
import type { World } from '../../ports/world.ts'
import { refuse } from '../problem.ts'
import { type Deltas, sendDeltas } from '../stream/deltas.ts'
import { type Sink, sseResponse } from '../stream/sse.ts'
import { watch } from '../stream/wait.ts'
import { type TurnView, viewTurn } from './view.ts'

/** So long a request waits for the end of a response; OpenAI's clients wait as long. */
const WAIT_MS = 600_000
const HEARTBEAT_MS = 15_000

class TurnLog {
  readonly #world: World
  readonly #partition: string
  readonly #index: number
  readonly #facts: Stamped<RunFact>[] = []

  constructor(world: World, partition: string, index: number) {
    this.#world = world
    this.#partition = partition
    this.#index = index
  }

  /** As the log has it now; `undefined`: there is no such turn. */
  async read(): Promise<TurnView | undefined> {
    const seq = this.#facts.length
    const rows = await this.#world.store.read(this.#partition, seq === 0 ? '' : factKey(seq))
    this.#facts.push(...factsAfter<RunFact>(rows, seq))
    if (this.#facts.length === 0) return undefined
    const { tenant } = parsePartition(this.#partition)
    return viewTurn(this.#world, tenant, this.#facts, this.#index)
  }
}

const noResponse = () => refuse('not_found', 'There is no such response.')

/** 404 when there is none. */
export async function readTurn(world: World, partition: string, index: number): Promise<TurnView> {
  const view = await new TurnLog(world, partition, index).read()
  if (!view) throw noResponse()
  return view
}

/** The turn when it has ended, or as it stands when the time is over. */
export async function untilTurn(world: World, partition: string, index: number): Promise<TurnView> {
  const log = new TurnLog(world, partition, index)
  const end = world.clock.monotonic() + WAIT_MS
  const news = watch(world, partition)
  try {
    for (;;) {
      const view = await log.read()
      if (!view) throw noResponse()
      const left = end - world.clock.monotonic()
      if (view.end !== undefined || left <= 0) return view
      await news.next(left)
    }
  } finally {
    news.close()
  }
}

export interface Telling {
  /** Sends all that is new; whether that was the end. */
  tell(view: TurnView): boolean
  /** A piece of a text that is being written. */
  piece(step: number, at: number, text: string): void
  /** The text that was shown of this step is void. */
  reset(step: number): void
}

/** A turn as server-sent events; `begin` gets what it may send by. */
export function streamTurn(
  world: World,
  partition: string,
  index: number,
  headers: Readonly<Record<string, string>>,
  begin: (sink: Sink) => Telling,
): Response {
  return sseResponse(world.clock, headers, async (sink) => {
    const telling = begin(sink)
    const log = new TurnLog(world, partition, index)
    const news = watch(world, partition)
    const deltas = piecesOf(world, partition, sink, telling)
    try {
      await follow({ world, log, news, sink, telling, deltas })
    } finally {
      deltas.close()
      news.close()
    }
  })
}

interface Following {
  readonly world: World
  readonly log: TurnLog
  readonly news: ReturnType<typeof watch>
  readonly sink: Sink
  readonly telling: Telling
  readonly deltas: Deltas
}

async function follow({ world, log, news, sink, telling, deltas }: Following): Promise<void> {
  const { clock } = world
  const end = clock.monotonic() + WAIT_MS
  let spoke = clock.monotonic()
  while (!sink.signal.aborted && clock.monotonic() < end) {
    const view = await log.read()
    const last = view?.steps.at(-1)
    if (last) deltas.drop(last.step)
    if (!(await sink.room())) return
    if (view && telling.tell(view)) return
    deltas.begin()
    if (clock.monotonic() - spoke >= HEARTBEAT_MS) {
      sink.send(': ping\n\n')
      spoke = clock.monotonic()
    }
    await news.next(HEARTBEAT_MS)
  }
}

function piecesOf(world: World, partition: string, sink: Sink, telling: Telling): Deltas {
  const { id } = parsePartition(partition)
  return sendDeltas(world, partition, id, {
    full: () => sink.full(),
    send(name, data) {
      if (name !== 'assistant.delta') return
      const { step, at, text } = data as { step: number; at?: number; text?: string }
      if (at === undefined || text === undefined) telling.reset(step)
      else telling.piece(step, at, text)
    },
  })
}
