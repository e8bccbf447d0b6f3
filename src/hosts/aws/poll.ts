/**
 * Receives wakes from SQS in a long-running process (a container). Each queue is long-polled for as
 * many messages as may be processed concurrently. A message is deleted after its handler ends, even
 * on failure: the alarm retries a failed wake (PROTOCOL.md rule 33). If the process crashes, SQS
 * redelivers the message.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { Wake } from '../../ports/world.ts'
import { wakeOf } from '../shared/wake.ts'
import { QUEUE_NAMES, type QueueName, type QueueUrls } from './sqs.ts'

export interface PollOptions {
  readonly client: SQSClient
  readonly urls: QueueUrls
  /** Maximum number of wakes handled concurrently, by queue. */
  readonly widths: Readonly<Record<QueueName, number>>
  readonly handle: (wake: Wake) => Promise<void>
  readonly onError: (where: string, error: unknown) => void
}

export interface Poller {
  /** Stops receiving messages; returns false if handlers still run after `waitMs` milliseconds. */
  stop(waitMs: number): Promise<boolean>
}

/** Maximum number of messages per receive request, set by SQS. */
const MAX_MESSAGES = 10
const WAIT_SECONDS = 20
/**
 * Visibility time-out of a received message, in seconds; if the message is received again, a
 * concurrent second pass is safe.
 */
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
    else onError(`queue ${name}`, new Error('received a message that this service did not send'))
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
