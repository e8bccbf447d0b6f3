/** Wakes as calls to objects, in workerd, keep the promises of the queue's port. */

import { expect, it, onTestFinished } from 'vitest'
import { objectQueue } from '../../../../src/hosts/cloudflare/ports/queue.ts'
import { queueContract } from '../../../contract/queue.ts'
import { hearing } from '../hearing.ts'
import { env, migrate } from './env.ts'

await migrate()

queueContract('alarms of objects', (handle) => {
  hearing.current = handle
  onTestFinished(() => {
    hearing.current = undefined
  })
  return {
    queue: objectQueue({ objects: env.HEARING }),
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
})

it('a wake that cannot be sent returns `lost` instead of throwing', async () => {
  const none = { wake: () => Promise.reject(new Error('Network connection lost.')) }
  const queue = objectQueue({ objects: { getByName: () => none } })
  const wake = { partition: 'p', lane: 'main', started: false, staleCount: 0 } as const
  expect(await queue.send([wake])).toBe('lost')
})
