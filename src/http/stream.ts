/**
 * A run's log as server-sent events. `id:` is the seq; whoever reconnects with `Last-Event-ID` on
 * any instance goes on without a gap. Deltas carry no id: they are never resumed. After the
 * terminal event the stream closes, and a reconnect is answered with 204.
 */

import { eventOf } from '../core/run/event.ts'
import type { RunFact, Stamped } from '../core/run/facts.ts'
import { isTerminalFact } from '../core/run/facts.ts'
import { factsAfter } from '../engine/log.ts'
import { factKey, parsePartition } from '../engine/names.ts'
import { encode } from '../lib/bytes.ts'
import type { FeedItem, World } from '../ports/world.ts'
import { watch } from './wait.ts'

const HEARTBEAT_MS = 15_000
/** A parked run's stream is closed so that nothing is held while it waits (protocol rule 44). */
const PARKED_MS = 60_000
const DELTA_MS = 50

type Headers = Readonly<Record<string, string>>

export function streamRun(
  world: World,
  partition: string,
  after: number,
  headers: Headers = {},
): Response {
  const stop = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (text: string): void => {
        if (!stop.signal.aborted) controller.enqueue(encode(text))
      }
      try {
        await follow(world, partition, after, send, stop.signal)
      } finally {
        if (!stop.signal.aborted) controller.close()
      }
    },
    cancel: () => stop.abort(),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
}

type Send = (text: string) => void

async function follow(
  world: World,
  partition: string,
  after: number,
  send: Send,
  signal: AbortSignal,
): Promise<void> {
  const runId = parsePartition(partition).id
  const news = watch(world, partition)
  const deltas = deltaSender(world, partition, send)
  let seq = after
  let from = ''
  let spoke = world.clock.monotonic()
  let heard = spoke
  try {
    while (!signal.aborted) {
      const facts = factsAfter(await world.store.read(partition, from), seq)
      // The finished message says it all: what was about to be sent of it is void.
      if (facts.some(({ fact }) => fact.type === 'assistant.message')) deltas.drop()
      for (const stamped of facts) {
        send(sse(runId, stamped))
        if (isTerminalFact(stamped.fact)) return
      }
      const now = world.clock.monotonic()
      const last = facts.at(-1)
      if (last) {
        seq = last.seq
        // The next row begins right after what was read, so the read may begin there too.
        from = factKey(seq)
        spoke = now
        heard = now
      } else if (now - heard >= PARKED_MS) {
        send('retry: 5000\n\n')
        return
      } else if (now - spoke >= HEARTBEAT_MS) {
        send(': ping\n\n')
        spoke = now
      }
      await news.next(HEARTBEAT_MS)
    }
  } finally {
    deltas.close()
    news.close()
  }
}

function sse(runId: string, stamped: Stamped<RunFact>): string {
  const event = eventOf(runId, stamped)
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Text as it comes, a few times a second; a new epoch means that what was shown is void. */
function deltaSender(world: World, partition: string, send: Send) {
  let text = ''
  let epoch = -1
  let step = -1
  let scheduled = false
  const flush = (): void => {
    if (text === '') return
    const data = JSON.stringify({ epoch, step, text })
    send(`event: assistant.delta\ndata: ${data}\n\n`)
    text = ''
  }
  const hear = (item: FeedItem): void => {
    if (item.type !== 'delta' || item.delta.type !== 'text') return
    if (item.epoch !== epoch || item.step !== step) {
      flush()
      const reset = item.step === step
      epoch = item.epoch
      step = item.step
      if (reset) send(`event: assistant.delta\ndata: ${JSON.stringify({ epoch, step, reset })}\n\n`)
    }
    text += item.delta.text
    if (scheduled) return
    scheduled = true
    void world.clock.sleep(DELTA_MS).then(() => {
      scheduled = false
      flush()
    })
  }
  const drop = (): void => {
    text = ''
  }
  const deaf = world.feed.subscribe(partition, hear)
  const close = (): void => {
    deaf()
    // A flush may still be on its way; there is nobody left to send to.
    drop()
  }
  return { drop, close }
}
