/**
 * Server-sent events on the wire. A slow reader's backlog is bounded: the producer waits for it,
 * and one that takes nothing for half a minute is cut off; it resumes where it was.
 */

import { encode } from '../../lib/bytes.ts'
import type { Clock } from '../../ports/world.ts'

export interface Sink {
  readonly signal: AbortSignal
  send(text: string): void
  /** True when more than its share waits for the reader. */
  full(): boolean
  /** Resolves when there is room again: false when the reader has not come for too long. */
  room(): Promise<boolean>
}

const BUFFER_BYTES = 262_144
const SLOW_MS = 30_000

/** A stream of what `produce` sends; it ends when that returns. */
export function sseResponse(
  clock: Clock,
  headers: Readonly<Record<string, string>>,
  produce: (sink: Sink) => Promise<void>,
): Response {
  const stop = new AbortController()
  let pulled: (() => void) | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      // Not awaited: a stream is not pulled before its start has returned.
      start(controller) {
        const sink = sinkOf(controller, stop.signal, clock, (wake) => {
          pulled = wake
        })
        // A store in trouble ends the stream like any other end: the client comes again.
        const end = (): void => {
          if (!stop.signal.aborted) controller.close()
        }
        produce(sink).then(end, end)
      },
      pull: () => pulled?.(),
      cancel: () => {
        stop.abort()
        pulled?.()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
  )
  const fixed = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  return new Response(body, { headers: { ...fixed, ...headers } })
}

function sinkOf(
  controller: ReadableStreamDefaultController<Uint8Array>,
  signal: AbortSignal,
  clock: Clock,
  onPull: (wake: (() => void) | undefined) => void,
): Sink {
  const full = (): boolean => (controller.desiredSize ?? 0) <= 0
  return {
    signal,
    full,
    send(text) {
      if (!signal.aborted) controller.enqueue(encode(text))
    },
    async room() {
      if (!full()) return true
      const timer = new AbortController()
      const pull = new Promise<void>((resolve) => onPull(resolve))
      await Promise.race([pull, clock.sleep(SLOW_MS, timer.signal)])
      timer.abort('over')
      onPull(undefined)
      return !full()
    },
  }
}
