/**
 * Queue port on SQS: one queue per lane, and a separate queue for started runs, so that they never
 * wait behind unstarted runs (PROTOCOL.md rule 32). A wake that cannot be sent is lost, and the
 * alarm recovers it.
 */

import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { Lane, Queue, Wake } from '../../ports/world.ts'

export type QueueName = Lane | 'resume'
export const QUEUE_NAMES: readonly QueueName[] = ['main', 'subagent', 'background', 'resume']
/** URLs of the SQS queues, by queue name. */
export type QueueUrls = Readonly<Record<QueueName, string>>

/** Maximum number of messages in one batch, set by SQS. */
export const BATCH = 10
export const MAX_DELAY_SECONDS = 900

/**
 * Creates the queue port on SQS. `DelaySeconds` has a resolution of one second and a maximum of 15
 * minutes. A wake with a longer delay arrives early and finds no work; the tick then sends another
 * wake at the due time.
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

/** Sends a batch of messages; returns true if SQS accepted all of them. */
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
