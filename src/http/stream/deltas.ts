/**
 * Text of a model as it comes, a few times a second. It carries no id: it is never resumed; a
 * stream begins with the whole text so far instead. Each piece names its place in the message, so
 * that a repeated piece is shown once and a gap is seen. Another call of the model for the same
 * step means that the answer begins anew: the text shown so far is void.
 */

import type { FeedItem, World } from '../../ports/world.ts'

const DELTA_MS = 50

/** Takes named pieces, unless its reader does not keep up. */
interface Taker {
  full(): boolean
  send(name: string, data: object): void
}

export interface Deltas {
  /** The run's start has been sent: from now on starts of its subagents are passed on. */
  start(): void
  /** Everything earlier has been sent, the run's start too: each item from the feed is passed on. */
  begin(): void
  /** The finished message of this step says it all: what was about to be sent of it is void. */
  drop(step: number): void
  /** The attempt has failed at this time (ms since 1970): what was shown of it is void. */
  fail(at: number): void
  close(): void
}

type Piece = Extract<FeedItem, { type: 'delta' }>
type Call = Pick<Piece, 'epoch' | 'step' | 'began'>

type Start = Extract<FeedItem, { type: 'ephemeral' }>

/** Starts of subagents; those that come before the run's own start was sent wait for it. */
class Starts {
  readonly #sink: Taker
  /** At most one for each subagent. */
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

/** Sends deltas of a run, and that a subagent of it has started, as the feed tells them. */
export function sendDeltas(world: World, partition: string, run_id: string, sink: Taker): Deltas {
  let call: Call | undefined
  /** The text to send, and its place in the message. */
  let text = ''
  let at = 0
  /** The last step whose message is finished: what still comes of it comes too late. */
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
    // A slow reader misses deltas and gets the finished message.
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
  /** Moves on to another call of the model; false: it is an older one. */
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
      // A flush may still be pending; there are no subscribers left.
      drop(Number.MAX_SAFE_INTEGER)
    },
  }
}

const orderOf = (a: Call, b: Call): number =>
  a.step - b.step || a.epoch - b.epoch || a.began - b.began
