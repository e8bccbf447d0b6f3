/** Cloudflare Queues, in workerd, keep the promises of the port. */

import { expect, it, onTestFinished } from 'vitest'
import { cloudflareQueue } from '../../../src/hosts/cloudflare/queue.ts'
import { queueContract } from '../../contract/queue.ts'
import { hearing } from '../hearing.ts'
import { env } from './env.ts'

queueContract('Cloudflare Queues', (handle) => {
  hearing.current = handle
  onTestFinished(() => {
    hearing.current = undefined
  })
  return {
    queue: cloudflareQueue(env),
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
})

it('a wake that cannot be sent is `lost`, not thrown', async () => {
  const none = { sendBatch: () => Promise.reject(new Error('Too Many Requests')) }
  const queue = cloudflareQueue({ ...env, QUEUE_MAIN: none })
  const wake = { partition: 'p', lane: 'main', started: false, staleCount: 0 } as const
  expect(await queue.send([wake])).toBe('lost')
})
