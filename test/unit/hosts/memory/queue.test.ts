/** The queue in memory keeps the promises of its port when somebody takes its wakes. */

import { onTestFinished } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { memoryQueue } from '../../../../src/hosts/memory/queue.ts'
import { queueContract } from '../../../contract/queue.ts'

queueContract('memory', (handle) => {
  const clock = memoryClock()
  const queue = memoryQueue(clock)
  const drain = async (): Promise<void> => {
    for (const wake of queue.take()) await handle(wake).catch(() => {})
  }
  const timer = setInterval(drain, 1)
  onTestFinished(() => clearInterval(timer))
  return {
    queue,
    pass: async (ms) => {
      clock.advance(ms)
      await drain()
    },
  }
})
