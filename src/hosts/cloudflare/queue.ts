/**
 * The queue on Cloudflare Queues: one a lane, and one for runs that have started (protocol rule
 * 32). A wake that cannot be sent is lost, and its alarm recovers it.
 */

import type { Queue, Wake } from '../../ports/world.ts'
import type { Bindings, CloudQueue } from './bindings.ts'

type Queues = Pick<Bindings, 'QUEUE_MAIN' | 'QUEUE_SUBAGENT' | 'QUEUE_BACKGROUND' | 'QUEUE_RESUME'>

/** Bounds of Cloudflare: messages of one batch, and half a day of delay. */
export const BATCH = 100
export const MAX_DELAY_SECONDS = 43_200

export function cloudflareQueue(queues: Queues): Queue {
  const all = [
    queues.QUEUE_MAIN,
    queues.QUEUE_SUBAGENT,
    queues.QUEUE_BACKGROUND,
    queues.QUEUE_RESUME,
  ]
  return {
    async send(wakes, delayMs = 0) {
      const delaySeconds = Math.min(MAX_DELAY_SECONDS, Math.ceil(delayMs / 1_000))
      const sent = await Promise.all(
        all.map((queue) => {
          const mine = wakes.filter((wake) => queueOf(queues, wake) === queue)
          return sendAll(queue, mine, delaySeconds)
        }),
      )
      return sent.every(Boolean) ? 'ok' : 'lost'
    },
  }
}

function queueOf(queues: Queues, { started, lane }: Wake): CloudQueue {
  if (started) return queues.QUEUE_RESUME
  if (lane === 'main') return queues.QUEUE_MAIN
  return lane === 'subagent' ? queues.QUEUE_SUBAGENT : queues.QUEUE_BACKGROUND
}

/** True when every one was taken. */
async function sendAll(queue: CloudQueue, wakes: readonly Wake[], delaySeconds: number) {
  try {
    for (let at = 0; at < wakes.length; at += BATCH) {
      const messages = wakes.slice(at, at + BATCH).map((body) => ({ body }))
      await queue.sendBatch(messages, { delaySeconds })
    }
    return true
  } catch {
    return false
  }
}
