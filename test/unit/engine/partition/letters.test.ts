import { expect, it } from 'vitest'
import { Inflight } from '../../../../src/engine/worker/inflight.ts'
import { testWorld } from '../../../support/drive.ts'

it('mail announced twice is received once, because one commit must not delete its row twice', () => {
  const world = testWorld()
  const inflight = new Inflight<{ id: string }, object>(world, 'acme/run/run_1', 'w1')
  const mail = { key: 'mail/run_2', fact: { type: 'subagent.announced', call: 'call_1' } }
  const changed = { type: 'changed', mail } as unknown as Parameters<typeof world.feed.publish>[1]
  world.feed.publish('acme/run/run_1', changed)
  world.feed.publish('acme/run/run_1', changed)
  expect(inflight.mail()).toEqual([mail])
  expect(inflight.mail()).toEqual([])
  inflight.close()
})
