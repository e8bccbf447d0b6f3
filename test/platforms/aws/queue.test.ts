/** The queue on SQS, with the poller that containers use, keeps the promises of its port. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { expect, inject, it, onTestFinished } from 'vitest'
import { pollQueues } from '../../../src/hosts/aws/poll.ts'
import { queueOf, sqsQueue } from '../../../src/hosts/aws/sqs.ts'
import type { Wake } from '../../../src/ports/world.ts'
import { queueContract } from '../../contract/queue.ts'
import { createQueues } from '../../support/aws/all.ts'
import { sqsClient } from '../../support/aws/sqs.ts'

const urls = inject('aws')
let count = 0

queueContract('SQS', async (handle) => {
  const client = sqsClient(urls.sqs)
  const queues = await createQueues(urls.sqs, `contract-${process.pid}-${(count += 1)}`)
  const widths = { main: 4, subagent: 8, background: 4, resume: 8 }
  const poller = pollQueues({ client, urls: queues, widths, handle, onError: () => {} })
  onTestFinished(async () => {
    expect(await poller.stop(30_000)).toBe(true)
    client.destroy()
  })
  return { queue: sqsQueue(client, queues), pass: (ms) => sleep(ms) }
})

it('a started run waits in a separate queue, regardless of its lane', () => {
  const wake: Wake = { partition: 'p', lane: 'subagent', started: false, staleCount: 0 }
  expect([queueOf(wake), queueOf({ ...wake, started: true })]).toEqual(['subagent', 'resume'])
})

it('a wake that cannot be sent returns `lost` instead of throwing', async () => {
  const client = sqsClient('http://127.0.0.1:1')
  const nowhere = 'http://127.0.0.1:1/none'
  const queues = { main: nowhere, subagent: nowhere, background: nowhere, resume: nowhere }
  const wake: Wake = { partition: 'p', lane: 'main', started: false, staleCount: 0 }
  expect(await sqsQueue(client, queues).send([wake])).toBe('lost')
})

it('an aborted poll consumes no message, as on AWS', async () => {
  const client = sqsClient(urls.sqs)
  onTestFinished(() => client.destroy())
  const { main } = await createQueues(urls.sqs, `gone-${process.pid}`)
  const receive = new ReceiveMessageCommand({ QueueUrl: main, WaitTimeSeconds: 3 })
  const stop = new AbortController()
  const gone = client.send(receive, { abortSignal: stop.signal }).catch(() => 'gone')
  await sleep(300)
  stop.abort()
  expect(await gone).toBe('gone')
  // The server here must have noticed, which AWS does by itself.
  await sleep(300)
  await client.send(new SendMessageCommand({ QueueUrl: main, MessageBody: 'for the living' }))
  expect((await client.send(receive)).Messages).toHaveLength(1)
})
