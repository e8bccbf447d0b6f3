/**
 * Follows a run's log for streams in other formats: committed facts, and the model's text while it
 * is generated. The stream's sink encodes both.
 */

import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import { factKey, parsePartition } from '../../engine/partition/keys.ts'
import { factsAfter } from '../../engine/partition/log.ts'
import type { World } from '../../ports/world.ts'
import { type Deltas, sendDeltas } from './deltas.ts'
import { logBroken, type Sink, sseResponse } from './sse.ts'
import { watch } from './wait.ts'

/**
 * Maximum time that a request waits for a run's end, in milliseconds, as in other vendors' clients.
 */
export const WAIT_MS = 600_000
const HEARTBEAT_MS = 15_000

export type Facts = readonly LoggedFact<RunFact>[]

/** Collects the facts of a run's log; each read adds new facts. */
export class RunLog {
  readonly #world: World
  readonly #partition: string
  readonly #facts: LoggedFact<RunFact>[] = []

  constructor(world: World, partition: string) {
    this.#world = world
    this.#partition = partition
  }

  /** Reads all facts that the log contains now; empty if the run does not exist. */
  async read(): Promise<Facts> {
    const seq = this.#facts.length
    const rows = await this.#world.store.read(this.#partition, seq === 0 ? '' : factKey(seq))
    this.#facts.push(...factsAfter<RunFact>(rows, seq))
    return this.#facts
  }
}

export interface Tail {
  /**
   * Receives all facts so far whenever they may have changed; returns whether the stream has ended.
   */
  facts(all: Facts): Promise<boolean>
  /** Receives a delta of unfinished text. */
  piece(step: number, at: number, text: string): void
  /** Reports that the text shown for a step is void. */
  reset(step: number): void
  /** Reports that the request timed out before the run's end. */
  late?(): void
}

/** Streams a run as server-sent events; `begin` receives the function that sends events. */
export function streamTail(
  world: World,
  partition: string,
  headers: Readonly<Record<string, string>>,
  begin: (sink: Sink) => Tail,
): Response {
  const produce = async (sink: Sink): Promise<void> => {
    const tail = begin(sink)
    const news = watch(world, partition)
    const deltas = piecesOf(world, partition, sink, tail)
    try {
      await follow({ world, log: new RunLog(world, partition), news, sink, tail, deltas })
    } finally {
      deltas.close()
      news.close()
    }
  }
  return sseResponse(world.clock, headers, produce, (error) => logBroken(world, partition, error))
}

interface Following {
  readonly world: World
  readonly log: RunLog
  readonly news: ReturnType<typeof watch>
  readonly sink: Sink
  readonly tail: Tail
  readonly deltas: Deltas
}

async function follow({ world, log, news, sink, tail, deltas }: Following): Promise<void> {
  const { clock } = world
  const end = clock.monotonic() + WAIT_MS
  let spoke = clock.monotonic()
  while (!sink.signal.aborted && clock.monotonic() < end) {
    const facts = await log.read()
    const last = facts.findLast(({ fact }) => fact.type === 'assistant.message')?.fact
    if (last?.type === 'assistant.message') deltas.drop(last.step)
    if (!(await sink.room())) return
    if (await tail.facts(facts)) return
    if (facts.some(({ fact }) => fact.type === 'run.started')) deltas.begin()
    if (clock.monotonic() - spoke >= HEARTBEAT_MS) {
      sink.send(': ping\n\n')
      spoke = clock.monotonic()
    }
    await news.next(HEARTBEAT_MS)
  }
  if (!sink.signal.aborted) tail.late?.()
}

function piecesOf(world: World, partition: string, sink: Sink, tail: Tail): Deltas {
  const { id } = parsePartition(partition)
  return sendDeltas(world, partition, id, {
    full: () => sink.full(),
    send(name, data) {
      if (name !== 'assistant.delta') return
      const { step, at, text } = data as { step: number; at?: number; text?: string }
      if (at === undefined || text === undefined) tail.reset(step)
      else tail.piece(step, at, text)
    },
  })
}
