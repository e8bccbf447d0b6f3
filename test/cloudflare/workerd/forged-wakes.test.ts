/** H17 in workerd: the real objects take forged wakes, for partitions of others and for none. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { holderOf, workerOf } from '../../../src/hosts/cloudflare/address.ts'
import { forgedPartitions, forgedWakes } from '../../support/forged-wakes.ts'
import { env, migrate } from './env.ts'
import { ask, ended, playModel, type Shown } from './model.ts'

await migrate()

const partitionOf = (id: string): string => `default/run/${id}`
const objectOf = (id: string) => env.PARTITIONS.getByName(holderOf(partitionOf(id))!)

it('H17 a forged wake changes no row of a run, and its object works on', async () => {
  playModel()
  const { id, session_id } = await ask<Shown & { session_id: string }>('POST', '/runs', {
    input: '@say done',
  })
  await ended(id)
  const rows = () => objectOf(id).read(partitionOf(id))
  const before = await rows()
  const forged = forgedPartitions('default', 'stranger', id).filter(
    (one) => one !== partitionOf(id),
  )
  // To its own object, as whoever holds the binding could, and where the queue would send them.
  await objectOf(id).wake(forgedWakes(forged), 0)
  for (const wake of forgedWakes(forged))
    await env.PARTITIONS.getByName(workerOf(wake.partition)).wake([wake], 0)
  await sleep(1_000)
  expect(await rows()).toEqual(before)
  const { id: next } = await ask('POST', '/runs', { input: '@say again', session_id })
  expect(await ended(next)).toMatchObject({ status: 'completed', output: { text: 'again' } })
  expect(await rows()).toEqual(before)
}, 120_000)
