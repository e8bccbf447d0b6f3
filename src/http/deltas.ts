/**
 * Text of a model as it comes, a few times a second. It carries no id: it is never resumed. A new
 * epoch means that another worker has begun the answer anew, so what was shown of it is void.
 */

import type { FeedItem, World } from '../ports/world.ts'
import type { Sink } from './sse.ts'

const DELTA_MS = 50

export interface Deltas {
  /** The finished message of this step says it all: what was about to be sent of it is void. */
  drop(step: number): void
  /** The attempt has failed: what was shown of it is void. */
  fail(): void
  close(): void
}

/** Sends deltas of a run, and that a subagent of it has started, as the feed tells them. */
export function sendDeltas(world: World, partition: string, run_id: string, sink: Sink): Deltas {
  let text = ''
  let epoch = -1
  let step = -1
  /** The last step whose message is finished: what still comes of it comes too late. */
  let done = -1
  let shown = false
  let scheduled = false
  const send = (more: object): void => {
    const data = JSON.stringify({ run_id, epoch, step, ...more })
    sink.send(`event: assistant.delta\ndata: ${data}\n\n`)
  }
  const flush = (): void => {
    // Whoever does not keep up gets the finished message.
    if (text !== '' && !sink.full()) send({ text })
    shown ||= text !== ''
    text = ''
  }
  const void_ = (): void => {
    if (shown || text !== '') send({ reset: true })
    text = ''
    shown = false
  }
  const hear = (item: FeedItem): void => {
    if (item.type === 'ephemeral') {
      sink.send(`event: ${item.name}\ndata: ${JSON.stringify(item.data)}\n\n`)
    }
    if (item.type !== 'delta' || item.delta.type !== 'text' || item.step <= done) return
    if (item.step !== step) {
      flush()
      shown = false
      step = item.step
      epoch = item.epoch
    } else if (item.epoch !== epoch) {
      epoch = item.epoch
      void_()
    }
    text += item.delta.text
    if (scheduled) return
    scheduled = true
    void world.clock.sleep(DELTA_MS).then(() => {
      scheduled = false
      flush()
    })
  }
  const drop = (finished: number): void => {
    done = Math.max(done, finished)
    text = ''
    shown = false
  }
  const deaf = world.feed.subscribe(partition, hear, true)
  const close = (): void => {
    deaf()
    // A flush may still be on its way; there is nobody left to send to.
    drop(Number.MAX_SAFE_INTEGER)
  }
  return { drop, fail: void_, close }
}
