/** The queue on SQS, with the poller that containers use, keeps the promises of its port. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { expect, inject, it, onTestFinished } from 'vitest'
import { pollQueues } from '../../src/hosts/aws/poll.ts'
import { queueOf, sqsQueue } from '../../src/hosts/aws/sqs.ts'
import type { Wake } from '../../src/ports/world.ts'
import { queueContract } from '../contract/queue.ts'
import { createQueues } from '../support/aws/all.ts'
import { sqsClient } from '../support/aws/sqs.ts'

const urls = inject('aws')
let count = 0

const started = (queues: number) => async (handle: (wake: Wake) => Promise<void>) => {
  const client = sqsClient(urls.sqs)
  const made = await createQueues(urls.sqs, `contract-${process.pid}-${(count += 1)}`, queues)
  const widths = { main: 4, subagent: 8, background: 4, resume: 8 }
  const poller = pollQueues({ client, urls: made, widths, handle, onError: () => {} })
  onTestFinished(async () => {
    expect(await poller.stop(30_000)).toBe(true)
    client.destroy()
  })
  return { queue: sqsQueue(client, made), pass: (ms: number) => sleep(ms) }
}

queueContract('SQS', started(1))
queueContract('SQS, three queues a lane', started(3))

it('a partition has one queue of its lane, and all of them have partitions', async () => {
  const client = sqsClient(urls.sqs)
  onTestFinished(() => client.destroy())
  const { main, ...others } = await createQueues(urls.sqs, `several-${process.pid}`, 3)
  const queue = sqsQueue(client, { main, ...others })
  const wakes = Array.from({ length: 30 }, (_, at): Wake => {
    return { partition: `t/run/${at % 15}`, lane: 'main', started: false, staleCount: 0 }
  })
  expect(await queue.send(wakes)).toBe('ok')
  const found = await Promise.all(
    main.map(async (QueueUrl) => {
      const partitions: string[] = []
      for (;;) {
        const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 })
        const { Messages = [] } = await client.send(receive)
        if (Messages.length === 0) return partitions
        partitions.push(...Messages.map(({ Body = '' }) => JSON.parse(Body).partition))
      }
    }),
  )
  expect(found.flat()).toHaveLength(30)
  expect(found.map((its) => its.length > 0)).toEqual([true, true, true])
  // Each of the 15 in one queue alone, twice.
  expect(found.reduce((sum, its) => sum + new Set(its).size, 0)).toBe(15)
})

it('a run that has started waits in a queue of its own, whatever its lane', () => {
  const wake: Wake = { partition: 'p', lane: 'subagent', started: false, staleCount: 0 }
  expect([queueOf(wake), queueOf({ ...wake, started: true })]).toEqual(['subagent', 'resume'])
})

it('a wake that cannot be sent is `lost`, not thrown', async () => {
  const client = sqsClient('http://127.0.0.1:1')
  const nowhere = ['http://127.0.0.1:1/none']
  const queues = { main: nowhere, subagent: nowhere, background: nowhere, resume: nowhere }
  const wake: Wake = { partition: 'p', lane: 'main', started: false, staleCount: 0 }
  expect(await sqsQueue(client, queues).send([wake])).toBe('lost')
})

it('a poll that has hung up takes no message with it, as at AWS', async () => {
  const client = sqsClient(urls.sqs)
  onTestFinished(() => client.destroy())
  const {
    main: [main],
  } = await createQueues(urls.sqs, `gone-${process.pid}`)
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
