/**
 * The queue on SQS: one queue a lane, and one for runs that have started, so that they never wait
 * behind those that have not (protocol rule 32). A wake that cannot be sent is lost, and its alarm
 * recovers it.
 */

import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { Lane, Queue, Wake } from '../../ports/world.ts'

export type QueueName = Lane | 'resume'
export const QUEUE_NAMES: readonly QueueName[] = ['main', 'subagent', 'background', 'resume']
/** URL of each queue. */
export type QueueUrls = Readonly<Record<QueueName, string>>

/** Bounds of SQS. */
export const BATCH = 10
export const MAX_DELAY_SECONDS = 900

/**
 * `DelaySeconds` counts whole seconds and at most a quarter of an hour; a wake for later than that
 * arrives early, finds nothing to do, and the tick does the rest.
 */
export function sqsQueue(client: SQSClient, urls: QueueUrls): Queue {
  return {
    async send(wakes, delayMs = 0) {
      const delay = Math.min(MAX_DELAY_SECONDS, Math.ceil(delayMs / 1_000))
      const batches = QUEUE_NAMES.flatMap((name) =>
        inBatches(wakes.filter((wake) => queueOf(wake) === name)).map((batch) => ({ name, batch })),
      )
      const sent = await Promise.all(
        batches.map(({ name, batch }) => sendBatch(client, urls[name], batch, delay)),
      )
      return sent.every(Boolean) ? 'ok' : 'lost'
    },
  }
}

export const queueOf = (wake: Wake): QueueName => (wake.started ? 'resume' : wake.lane)

function inBatches<T>(all: readonly T[]): T[][] {
  const batches: T[][] = []
  for (let at = 0; at < all.length; at += BATCH) batches.push(all.slice(at, at + BATCH))
  return batches
}

/** True when every one was taken. */
async function sendBatch(
  client: SQSClient,
  QueueUrl: string,
  wakes: readonly Wake[],
  DelaySeconds: number,
): Promise<boolean> {
  const Entries = wakes.map((wake, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(wake),
    DelaySeconds,
  }))
  try {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
    return Failed.length === 0
  } catch {
    return false
  }
}
