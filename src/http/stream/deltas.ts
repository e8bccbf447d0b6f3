/**
 * Sends model text while it is generated, a few times per second. Deltas have no ID and are never
 * resumed; instead, a stream starts with the whole text so far. Each delta contains its offset in
 * the message, so repetitions and gaps are detected. Another model call for the same step restarts
 * the answer and makes the text shown so far void.
 */

import type { FeedItem, World } from '../../ports/world.ts'

const DELTA_MS = 50

/** Output stream that accepts named items unless its reader is too slow. */
interface Taker {
  full(): boolean
  send(name: string, data: object): void
}

export interface Deltas {
  /** Allows notices of started subagents once the run's own start has been sent. */
  start(): void
  /** Allows all feed items once all earlier events, including the run's start, have been sent. */
  begin(): void
  /** Drops the unsent text of a step, because the finished message contains all of it. */
  drop(step: number): void
  /**
   * Records a failed attempt at the given time (milliseconds since 1970); the attempt's shown text
   * is void.
   */
  fail(at: number): void
  close(): void
}

type Piece = Extract<FeedItem, { type: 'delta' }>
type Call = Pick<Piece, 'epoch' | 'step' | 'began'>

type Start = Extract<FeedItem, { type: 'ephemeral' }>

/**
 * Sends notices of started subagents; notices are buffered until the run's own start has been sent.
 */
class Starts {
  readonly #sink: Taker
  /** Buffered start notices, at most one per subagent. */
  #waiting: Start[] | null = []

  constructor(sink: Taker) {
    this.#sink = sink
  }

  take(start: Start): void {
    if (this.#waiting) this.#waiting.push(start)
    else this.#sink.send(start.name, start.data as object)
  }

  begin(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const { name, data } of waiting) this.#sink.send(name, data as object)
  }
}

/** Sends text deltas of a run and start notices of its subagents as they arrive from the feed. */
export function sendDeltas(world: World, partition: string, run_id: string, sink: Taker): Deltas {
  let call: Call | undefined
  /** Unsent text, and its offset in the message. */
  let text = ''
  let at = 0
  /** Last step whose message is finished; later text of the step is dropped. */
  let done = -1
  let hasShown = false
  let scheduled = false
  let hasBegun = false
  const starts = new Starts(sink)
  const send = ({ epoch, step }: Call, more: object): void => {
    sink.send('assistant.delta', { run_id, epoch, step, ...more })
  }
  const flush = (): void => {
    if (!hasBegun || call === undefined || text === '') return
    // A slow reader misses text deltas and gets the finished message.
    if (!sink.full()) {
      send(call, { at, text })
      hasShown = true
    }
    at += text.length
    text = ''
  }
  const forget = (): void => {
    text = ''
    at = 0
    hasShown = false
  }
  const void_ = (by: Call): void => {
    if (hasShown) send(by, { reset: true })
    forget()
  }
  /** Switches to a newer model call; returns false for an older call. */
  const turnsTo = (piece: Piece): boolean => {
    if (call !== undefined) {
      const order = orderOf(piece, call)
      if (order <= 0) return order === 0
      if (piece.step === call.step) void_(piece)
      else flush()
    }
    forget()
    call = piece
    return true
  }
  const onItem = (item: FeedItem): void => {
    if (item.type === 'ephemeral') {
      starts.take(item)
    }
    if (item.type !== 'delta' || item.delta.type !== 'text' || item.step <= done) return
    if (!turnsTo(item)) return
    const end = at + text.length
    const fresh = item.delta.text.slice(Math.max(0, end - item.at))
    if (fresh === '') return
    if (item.at > end) {
      flush()
      at = item.at
    }
    text += fresh
    if (scheduled) return
    scheduled = true
    void world.clock.sleep(DELTA_MS).then(() => {
      scheduled = false
      flush()
    })
  }
  const drop = (finished: number): void => {
    done = Math.max(done, finished)
    if (call && call.step <= done) forget()
  }
  const unsubscribe = world.feed.subscribe(partition, onItem, true)
  return {
    start: () => starts.begin(),
    begin() {
      if (hasBegun) return
      hasBegun = true
      starts.begin()
      flush()
    },
    drop,
    fail(failed) {
      if (call && call.began <= failed) void_(call)
    },
    close() {
      unsubscribe()
      // Drops all unsent text, because a flush may still be pending although no subscriber remains.
      drop(Number.MAX_SAFE_INTEGER)
    },
  }
}

const orderOf = (a: Call, b: Call): number =>
  a.step - b.step || a.epoch - b.epoch || a.began - b.began
