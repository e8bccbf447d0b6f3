/**
 * Writes server-sent events with a limited backlog. The producer waits for a slow reader, and
 * disconnects a reader that is blocked for 30 seconds. The reader can resume at its position.
 */

import { encode } from '../../lib/bytes.ts'
import type { Clock, World } from '../../ports/world.ts'

export interface Sink {
  readonly signal: AbortSignal
  send(text: string): void
  /** Reports whether more bytes are buffered than one reader may use. */
  full(): boolean
  /**
   * Resolves to true once the buffer has space, or to false if the reader is blocked for too long.
   */
  room(): Promise<boolean>
}

const BUFFER_BYTES = 262_144
const SLOW_MS = 30_000

/**
 * Comment sent when a stream fails, which clients of every protocol ignore; `X-Request-Id`
 * identifies the request.
 */
const STREAM_BROKEN = ': internal: the stream was interrupted; reconnect to continue\n\n'

/**
 * Streams the output of `produce`; the stream ends when `produce` returns. Exceptions are reported.
 */
export function sseResponse(
  clock: Clock,
  headers: Readonly<Record<string, string>>,
  produce: (sink: Sink) => Promise<void>,
  onBroken?: (error: unknown) => void,
): Response {
  const stop = new AbortController()
  let pulled: (() => void) | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      // The promise is not awaited, because a stream is not read before its `start` has returned.
      start(controller) {
        const sink = sinkOf(controller, stop.signal, clock, (wake) => {
          pulled = wake
        })
        const end = (): void => {
          if (!stop.signal.aborted) controller.close()
        }
        // The client reconnects; only the operator sees the exception's text.
        produce(sink).then(end, (error) => {
          onBroken?.(error)
          sink.send(STREAM_BROKEN)
          end()
        })
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

/** Logs a failed stream for the operator, including the kind of error. */
export function logBroken({ log }: Pick<World, 'log'>, partition: string, error: unknown): void {
  const kind = error instanceof Error ? error.name : typeof error
  log?.write({ level: 'error', event: 'stream.broken', partition, error: kind })
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
