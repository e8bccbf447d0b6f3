/** What the Worker does with messages: nothing is judged, nothing is kept, nothing of ours is lost. */

import { expect, it } from 'vitest'
import worker from '../../../src/hosts/worker.ts'
import { env, migrate } from './env.ts'

await migrate()

const variables = { ...env, STRATA_MASTER_KEY: '0'.repeat(64) }

async function consumed(queue: string, bodies: readonly unknown[]): Promise<string[]> {
  const fates: string[] = []
  const messages = bodies.map((body, index) => ({
    id: String(index),
    body,
    ack: () => void (fates[index] = 'acked'),
    retry: () => void (fates[index] = 'retried'),
  }))
  await worker.queue({ queue, messages }, variables)
  return fates
}

const wake = { partition: 'default/run/run_none', lane: 'main', started: false, hops: 0 }

it('a wake is acked also when the look fails; what is none of ours goes on to the dead letters', async () => {
  const bodies = [wake, { ...wake, partition: 'nonsense' }, 'no wake', null]
  expect(await consumed('strata-main', bodies)).toEqual(['acked', 'acked', 'retried', 'retried'])
})

it('dead letters are told and let go', async () => {
  expect(await consumed('strata-main-dead', [wake, 'no wake'])).toEqual(['acked', 'acked'])
})

it('the minute sends what is due and sweeps what has expired', async () => {
  await worker.scheduled(undefined, variables)
})
