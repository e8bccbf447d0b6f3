/**
 * Takes wakes from SQS in a process that stays (a container). Each queue is polled for as many as
 * it may handle at once, by long polling. A message is deleted when its handler has ended, however
 * it ended: the alarm brings a failed one back (protocol rule 33). If the process dies the message
 * comes back by itself.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { Wake } from '../../ports/world.ts'
import { wakeOf } from '../shared/wake.ts'
import { QUEUE_NAMES, type QueueName, type QueueUrls } from './sqs.ts'

export interface PollOptions {
  readonly client: SQSClient
  readonly urls: QueueUrls
  /** How many wakes of each queue are handled at once. */
  readonly widths: Readonly<Record<QueueName, number>>
  readonly handle: (wake: Wake) => Promise<void>
  readonly onError: (where: string, error: unknown) => void
}

export interface Poller {
  /** Takes nothing more; false when handles still ran after `waitMs`. */
  stop(waitMs: number): Promise<boolean>
}

/** Bounds of one request, set by SQS. */
const MAX_MESSAGES = 10
const WAIT_SECONDS = 20
/** A message that was taken is hidden so long; a second pass meanwhile does no harm. */
export const HIDDEN_SECONDS = 30
const PAUSE_MS = 1_000

export function pollQueues(options: PollOptions): Poller {
  const stop = new AbortController()
  const loops = QUEUE_NAMES.map((name) => pollQueue(options, name, stop.signal))
  return {
    async stop(waitMs) {
      stop.abort()
      const late = new AbortController()
      const over = sleep(waitMs, false, { signal: late.signal, ref: false }).catch(() => false)
      const ended = await Promise.race([Promise.all(loops).then(() => true), over])
      late.abort()
      return ended
    },
  }
}

async function pollQueue(options: PollOptions, name: QueueName, signal: AbortSignal) {
  const running = new Set<Promise<void>>()
  while (!signal.aborted) {
    const room = options.widths[name] - running.size
    if (room === 0) {
      await Promise.race(running)
      continue
    }
    for (const message of await receive(options, name, Math.min(room, MAX_MESSAGES), signal)) {
      const look = handle(options, name, message).finally(() => running.delete(look))
      running.add(look)
    }
  }
  await Promise.all(running)
}

interface Message {
  readonly Body?: string | undefined
  readonly ReceiptHandle?: string | undefined
}

async function receive(
  { client, urls, onError }: PollOptions,
  name: QueueName,
  MaxNumberOfMessages: number,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: urls[name],
    MaxNumberOfMessages,
    WaitTimeSeconds: WAIT_SECONDS,
    VisibilityTimeout: HIDDEN_SECONDS,
  })
  try {
    return (await client.send(command, { abortSignal: signal })).Messages ?? []
  } catch (error) {
    if (signal.aborted) return []
    onError(`queue ${name}`, error)
    await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {})
    return []
  }
}

async function handle(options: PollOptions, name: QueueName, message: Message): Promise<void> {
  const { client, urls, onError } = options
  const wake = wakeOf(message.Body)
  try {
    if (wake) await options.handle(wake)
    else onError(`queue ${name}`, new Error('a message was not sent by this service'))
  } catch (error) {
    onError(wake?.partition ?? name, error)
  }
  try {
    const { ReceiptHandle } = message
    await client.send(new DeleteMessageCommand({ QueueUrl: urls[name], ReceiptHandle }))
  } catch (error) {
    onError(`queue ${name}`, error)
  }
}
