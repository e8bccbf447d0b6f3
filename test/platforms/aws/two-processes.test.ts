/**
 * Two Node processes on one DynamoDB, S3 and SQS: runs with subagents, webhooks and effects that
 * must not be doubled, while every few seconds one of the two is killed. `CLUSTER_RUNS` and
 * `CLUSTER_KILL_MS` make it longer or harder.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, inject, it } from 'vitest'
import { newLedger } from '../../hostile/chaos/acknowledged.ts'
import { configure, figures, rest } from '../../hostile/chaos/chaos.ts'
import { startCluster } from '../../hostile/chaos/cluster.ts'
import { unrest } from '../../hostile/chaos/found.ts'
import { explained } from '../../hostile/chaos/host.ts'
import { fanOut, type Load } from '../../hostile/chaos/load.ts'
import { startOutside } from '../../hostile/chaos/outside.ts'
import { reconcile } from '../../hostile/chaos/reconcile.ts'
import { newPlace } from '../../support/aws/all.ts'
import { chance } from '../../support/chance.ts'
import { type Open, temporaryFolder } from '../../support/launch.ts'

const RUNS = Number(process.env.CLUSTER_RUNS ?? 200)
const KILL_MS = Number(process.env.CLUSTER_KILL_MS ?? 5_000)
const CLIENTS = 20
/** So many runs are under way at once, in each process, that each kill hits many. */
const LANES = { LANE_MAIN: '16', LANE_SUBAGENT: '32', LANE_RESUME: '32', LANE_BACKGROUND: '8' }
const LEAST_KILLS = 10
const MAX_KILLS = 50
/** Whoever died at its third look waits four minutes (rule 34), then for a lease and a tick. */
const REST_MS = 360_000

const open: Open = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

it(`${RUNS} runs with subagents on two processes, one killed every ${KILL_MS} ms, lose and duplicate nothing`, async () => {
  const seed = Number(process.env.PROOF_SEED ?? 1)
  const place = await newPlace(inject('aws'))
  const outside = await startOutside(chance(seed), open)
  const storage = { STORE: 'dynamodb', OBJECTS: 's3', QUEUE: 'sqs' }
  const cached = { NODE_COMPILE_CACHE: await temporaryFolder(open) }
  const model = { OPENAI_BASE_URL: outside.modelUrl }
  const env = { ...storage, ...place.env, ...LANES, ...cached, ...model }
  const host = await startCluster(env, 2, open)
  await configure(host, outside)
  const transaction = newLedger()
  const random = chance(seed + 1)
  const stopped = () => false
  const load: Load = { host, outside, transaction, random, stopped, over: stopped, readers: [] }

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
  let left = RUNS
  // As long as there is much to hit: the last few only wait for the leases of the dead, and whoever
  // kills them again and again tests the patience with poison (rule 34), not the store.
  while (creating || kills < LEAST_KILLS || (kills < MAX_KILLS && left > RUNS / 5)) {
    const [all] = await Promise.all([unrest(host.server(), transaction), sleep(KILL_MS)])
    left = all.length
    await host.kill()
    kills += 1
  }
  await clients
  outside.heal()
  const restless = await rest(host, transaction, REST_MS)
  const { violations, outcomes } = await reconcile(host.server(), transaction, outside)
  const done = { ...figures(kills, host, transaction, outside), ...Object.fromEntries(outcomes) }
  console.log(`seed ${seed}`, done)
  const wrong = explained([...restless, ...violations], host.printed())
  expect(wrong, `seed ${seed}`).toEqual([])
  expect(done['runs accepted']).toBe(RUNS)
}, 1_200_000)
