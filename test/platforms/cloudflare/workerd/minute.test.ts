/** The cron trigger removes expired rows and starts the sweep of the bucket. */

import { expect, it } from 'vitest'
import { SWEEP } from '../../../../src/engine/worker/sweep.ts'
import { d1Store } from '../../../../src/hosts/cloudflare/ports/d1.ts'
import worker from '../../../../src/hosts/worker.ts'
import { put } from '../../../contract/store/kit.ts'
import { env, migrate } from './env.ts'

await migrate()

const minute = (): Promise<void> => worker.scheduled(undefined, { ...env })

const store = d1Store(env.DB)

it('the minute sweeps what has expired', async () => {
  await store.commit('default/reservation/x', [put('old', 'x', { expiresAt: Date.now() - 1 })])
  await minute()
  expect(await store.read('default/reservation/x')).toEqual([])
})

it('the minute sends the sweep of the bucket, whose passes an object makes', async () => {
  await minute()
  const [head] = await store.heads([SWEEP])
  const due = { next_at: Date.now() - 60_000, at: Date.now() - 3_600_000 }
  const body = JSON.stringify(due)
  expect(await store.commit(SWEEP, [], { expect: head!.version, body })).toBe('ok')
  await env.BUCKET.put('default/bodies/run_x/a', new Uint8Array(1), {} as never)
  await minute()
  const nextAt = async () => JSON.parse((await store.heads([SWEEP]))[0]!.body).next_at as number
  while ((await nextAt()) < Date.now()) await new Promise((resolve) => setTimeout(resolve, 50))
  // It is young: whoever owns it may be on its way.
  expect(await env.BUCKET.head('default/bodies/run_x/a')).not.toBeNull()
})
