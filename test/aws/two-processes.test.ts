/**
 * Two Node processes on one DynamoDB, S3 and SQS: runs with subagents, webhooks and effects that
 * must not be doubled, while every few seconds one of the two is killed. `CLUSTER_RUNS` and
 * `CLUSTER_KILL_MS` make it longer or harder.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, inject, it } from 'vitest'
import { newLedger } from '../chaos/acknowledged.ts'
import { configure, figures, rest } from '../chaos/chaos.ts'
import { startCluster } from '../chaos/cluster.ts'
import { unrest } from '../chaos/found.ts'
import { fanOut, type Load } from '../chaos/load.ts'
import { startOutside } from '../chaos/outside.ts'
import { reconcile } from '../chaos/reconcile.ts'
import { newPlace } from '../support/aws/all.ts'
import { chance } from '../support/chance.ts'
import type { Open } from '../support/launch.ts'

const RUNS = Number(process.env.CLUSTER_RUNS ?? 200)
const KILL_MS = Number(process.env.CLUSTER_KILL_MS ?? 5_000)
const CLIENTS = 5
const MAX_KILLS = 50
/** Leases of the dead run out after 65 s, and the clock ticks after that. */
const REST_MS = 240_000

const open: Open = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

it(`${RUNS} runs with subagents on two processes, one killed every ${KILL_MS} ms: nothing is lost or doubled`, async () => {
  const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const place = await newPlace(inject('aws'))
  const outside = await startOutside(chance(seed), open)
  const storage = { STORE: 'dynamodb', OBJECTS: 's3', QUEUE: 'sqs' }
  const env = { ...storage, ...place.env, OPENAI_BASE_URL: outside.modelUrl }
  const host = await startCluster(env, 2, open)
  await configure(host, outside)
  const ledger = newLedger()
  const random = chance(seed + 1)
  const stopped = () => false
  const load: Load = { host, outside, ledger, random, stopped, over: stopped, readers: [] }

  let next = 0
  const client = async () => {
    while (next < RUNS) {
      next += 1
      await fanOut(load, `n${next}x`)
    }
  }
  let creating = true
  const clients = Promise.all(Array.from({ length: CLIENTS }, client)).finally(() => {
    creating = false
  })
  let kills = 0
  // As long as there is work, then the last pieces are picked up in peace.
  while (creating || (kills < MAX_KILLS && (await unrest(host.server())).length > RUNS / 20)) {
    await sleep(KILL_MS)
    await host.kill()
    kills += 1
  }
  await clients
  outside.heal()
  const restless = await rest(host, REST_MS)
  const { violations, outcomes } = await reconcile(host.server(), ledger, outside)
  const done = { ...figures(kills, host, ledger, outside), ...Object.fromEntries(outcomes) }
  console.log(`seed ${seed}`, done)
  expect([...restless, ...violations], `seed ${seed}`).toEqual([])
  expect(done['runs accepted']).toBe(RUNS)
}, 1_200_000)
