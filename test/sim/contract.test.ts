/**
 * What the simulated world stands on keeps the promises of the real stores, buckets, queues and
 * clocks, by the very suites that those pass; and its queues have the numbers of the deployments.
 */

import { describe, expect, it, onTestFinished } from 'vitest'
import { FUNCTION_MINUTES, RECEIVES, VISIBILITY_MINUTES } from '../../infra/queues.ts'
import { HIDDEN_SECONDS } from '../../src/hosts/aws/poll.ts'
import * as sqs from '../../src/hosts/aws/sqs.ts'
import type { Store } from '../../src/ports/world.ts'
import { clockContract } from '../contract/clock.ts'
import { objectsContract } from '../contract/objects.ts'
import { queueContract } from '../contract/queue.ts'
import { storeContract } from '../contract/store.ts'
import { strayLetters } from '../contract/strays.ts'
import { NO_FAULTS } from './faults/faults.ts'
import { Broker } from './world/broker.ts'
import { ObjectServer } from './world/objects.ts'
import { QUEUES } from './world/profiles.ts'
import { chance } from './world/random.ts'
import type { Profile } from './world/sim.ts'
import { StoreServer } from './world/store.ts'
import { World } from './world/world.ts'

/** A server as a port, without a network; its indexes are late by a few turns of the event loop. */
function portOf(server: StoreServer): Store {
  return {
    read: async (partition, after) => server.read(partition, after),
    heads: async (partitions) => partitions.map((one) => server.head(one)),
    commit: async (partition, writes, head) => server.commit(partition, writes, head),
    due: async (now, cursor) => server.due(now, cursor),
    list: async (under, before, limit) => server.list(under, before, limit),
    find: async (under, wanted) => server.find(under, wanted),
    drop: async (partition) => server.drop(partition),
  }
}

const lagging = (): Store =>
  portOf(
    new StoreServer(
      () => {},
      (_, update) => void setTimeout(update, 5),
    ),
  )

storeContract('the simulator', lagging)
strayLetters('the simulator', lagging)

objectsContract('the simulator', () => {
  const server = new ObjectServer(Date.now)
  return {
    get: async (key) => server.get(key),
    put: async (key, body, expect_) => server.put(key, body, expect_),
    delete: async (key, expect_) => server.delete(key, expect_),
    list: async (prefix, cursor) => server.list(prefix, cursor),
  }
})

for (const profile of ['sqs', 'cloudflare', 'node'] as const)
  queueContract(`the simulator's ${profile}`, (handle) => {
    const world = new World({ seed: 1, profile, mix: NO_FAULTS, operations: [] })
    const broker = new Broker(world, 4, chance(1), (_, wake) => handle(wake).catch(() => {}))
    let running: Promise<void> | undefined
    const pass = async (ms: number): Promise<void> => {
      await running
      running = world.schedule.run(world.schedule.now + ms)
      await running
      running = undefined
    }
    const timer = setInterval(() => void (running ?? pass(1)), 1)
    onTestFinished(() => clearInterval(timer))
    const [sender] = world.processes.filter(({ slot }) => slot > 0)
    const send = (wakes: Parameters<Broker['send']>[1], delayMs = 0) =>
      broker.send(sender!, wakes, delayMs)
    return { queue: { send }, pass }
  })

clockContract('the simulator', () => {
  const world = new World({ seed: 1, profile: 'node', mix: NO_FAULTS, operations: [] })
  const process = world.processes.find(({ slot }) => slot > 0)!
  return {
    clock: process.world.clock,
    async pass(ms) {
      // Its time goes from event to event.
      world.schedule.after(ms, null, '', () => {})
      await world.schedule.run(world.schedule.now + ms)
    },
    shift(ms) {
      process.skew += ms
    },
  }
})

describe('the queues of the simulator', () => {
  const SECOND = 1_000

  it('have the limits of SQS as deployed and as the platforms use it', () => {
    expect(QUEUES.sqs).toEqual({
      delayStepMs: SECOND,
      maxDelayMs: sqs.MAX_DELAY_SECONDS * SECOND,
      batch: sqs.BATCH,
      hiddenMs: [VISIBILITY_MINUTES * 60 * SECOND, HIDDEN_SECONDS * SECOND],
      maxReceives: RECEIVES,
    })
    expect(VISIBILITY_MINUTES).toBeGreaterThanOrEqual(6 * FUNCTION_MINUTES)
  })

  it('refuse what the strictest store refuses: too many rows, one row twice, an oversized body', () => {
    const server = new StoreServer(
      () => {},
      (_, update) => update(),
    )
    const put = (key: string, body = '') => ({ op: 'put', key, body, expect: 'any' }) as const
    const many = Array.from({ length: 101 }, (_, i) => put(`r/${i}`))
    expect(() => server.commit('p', many)).toThrow(/100 rows/)
    expect(() => server.commit('p', [put('a'), { op: 'delete', key: 'a' }])).toThrow(/once/)
    expect(() => server.commit('p', [put('a', 'x'.repeat(131_073))])).toThrow(/131072 bytes/)
  })

  it('exist for each profile', () => {
    const profiles: Profile[] = ['sqs', 'cloudflare', 'node']
    expect(Object.keys(QUEUES)).toEqual(profiles)
  })
})
