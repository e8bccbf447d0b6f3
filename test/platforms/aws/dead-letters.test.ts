/**
 * Dead letters as they really come about: a message that the lane hands back is brought again, then
 * moved by SQS to the dead letters, whose consumer counts it for the alarm and lets it go. A wake of
 * ours never goes that way, also when its look fails.
 */

import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { RECEIVES } from '../../../infra/queues.ts'
import { deadLetters, lambdaHandlers, type SqsEvent } from '../../../src/hosts/lambda.ts'
import { createQueue, newPlace } from '../../support/aws/all.ts'
import { CONTEXT, mapping, RUNTIME } from '../../support/aws/lambda.ts'
import { sqsClient } from '../../support/aws/sqs.ts'

it('a foreign message ends in the dead letters and raises the alarm, and a valid one does not', async () => {
  const urls = inject('aws')
  const place = await newPlace(urls)
  Object.assign(process.env, place.env)
  const client = sqsClient(urls.sqs)
  const name = `dead-${process.pid}`
  const dead = await createQueue(client, urls.sqs, `${name}-letters`)
  const lane = await createQueue(client, urls.sqs, name, {
    // Longer than a look takes, or it would be brought again while it is looked at.
    VisibilityTimeout: '4',
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: await arnOf(dead),
      maxReceiveCount: RECEIVES,
    }),
  })
  async function arnOf(QueueUrl: string): Promise<string> {
    const ask = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] })
    return (await client.send(ask)).Attributes?.QueueArn ?? ''
  }
  const lines: Record<string, unknown>[] = []
  const print = (line: string): number => lines.push(JSON.parse(line))
  const handlers = lambdaHandlers(place.env, RUNTIME, print)
  const worked: string[] = []
  const work = (event: SqsEvent) => {
    worked.push(...event.Records.map(({ body }) => body))
    return handlers.work(event, CONTEXT)
  }
  const stop = new AbortController()
  const mappings = [
    mapping(client, lane, work, stop.signal),
    mapping(client, dead, deadLetters(print), stop.signal),
  ]
  onTestFinished(async () => {
    stop.abort()
    await Promise.all(mappings)
    client.destroy()
  })
  // Its address is nonsense, so the look throws.
  const ours = { partition: 'nonsense', lane: 'main', started: false, staleCount: 0 }
  for (const MessageBody of ['no wake', JSON.stringify(ours)])
    await client.send(new SendMessageCommand({ QueueUrl: lane, MessageBody }))
  await vi.waitFor(() => expect(lines.filter((line) => 'DeadLetters' in line)).toHaveLength(1), {
    timeout: 120_000,
    interval: 100,
  })
  expect(lines.find((line) => 'DeadLetters' in line)).toMatchObject({
    DeadLetters: 1,
    messages: ['no wake'],
  })
  expect(worked.filter((body) => body === 'no wake')).toHaveLength(RECEIVES)
  expect(worked.filter((body) => body !== 'no wake')).toHaveLength(1)
  expect(lines.filter((line) => 'Errors' in line)).toMatchObject([{ where: 'nonsense' }])
  for (const QueueUrl of [lane, dead])
    expect((await client.send(new ReceiveMessageCommand({ QueueUrl }))).Messages ?? []).toEqual([])
})
