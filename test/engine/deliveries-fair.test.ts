/**
 * Receivers that hang, over real sockets and the lanes of the Node host: they take no places of
 * another host of the same tenant, and none of another tenant.
 */

import { expect, it } from 'vitest'
import { newDelivery } from '../../src/core/webhook/delivery.ts'
import { advanceDelivery } from '../../src/engine/webhook/attempt.ts'
import { createDelivery } from '../../src/engine/webhook/delivery.ts'
import { pinnedFetch } from '../../src/hosts/node/outbound.ts'
import { lanes } from '../../src/hosts/node/queue.ts'
import { createWeb } from '../../src/hosts/outbound/fetch.ts'
import { systemClock } from '../../src/hosts/shared/clock.ts'
import type { World } from '../../src/ports/world.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { testWorld } from '../support/drive.ts'
import { HOSTILE, startHostilePeer } from '../support/hostile/index.ts'

const FAST_MS = 2_000

function running() {
  const policy = { allowLoopback: true }
  const queue = lanes({
    widths: { main: 1, subagent: 1, background: 4, delivery: 16 },
    handle: ({ partition }) => advanceDelivery(world, partition),
    onError: (error) => {
      throw error
    },
  })
  const world: World = {
    ...testWorld({ settings: { deliveries: 16 } }),
    queue,
    clock: systemClock,
    web: createWeb(policy, pinnedFetch(policy)),
  }
  cleanup.push(() => queue.stop(1))
  let number = 0
  const send = async (tenant: string, url: string): Promise<void> => {
    number += 1
    const id = `dlv_${String(number).padStart(26, '0')}`
    const sealed = await world.secrets.seal(`whsec_${'A'.repeat(43)}=`, 'run_x')
    const about = { id, tenant, run_id: 'run_x', seq: number, event_type: 'x', url }
    await createDelivery(world, newDelivery(about, systemClock.now()), '{}', sealed)
  }
  return { queue, send }
}

async function receiving() {
  const server = await startCannedServer((_, response) => void response.writeHead(204).end())
  cleanup.push(server.close)
  return server
}

it.each(['accepts-silently', 'switches-protocols', 'head-drips', 'body-drips'] as const)(
  'WS18 U27 16 URLs of one host (%s) delay neither another host nor another tenant',
  async (name) => {
    const bad = await startHostilePeer(HOSTILE[name])
    cleanup.push(bad.close)
    const [good, other] = await Promise.all([receiving(), receiving()])
    const { queue, send } = running()
    for (let nth = 0; nth < 16; nth += 1) await send('one', `${bad.origin}/hook/${nth}`)
    while (bad.connections() < 2) await systemClock.sleep(5)
    const began = performance.now()
    await send('one', `${good.origin}/hook`)
    await send('two', `${other.origin}/hook`)
    while (good.received.length + other.received.length < 2) {
      expect(performance.now() - began).toBeLessThan(FAST_MS)
      await systemClock.sleep(5)
    }
    // Those that wait hold nothing, once the good ones are written down.
    while (queue.load().delivery.handled > 2) {
      expect(performance.now() - began).toBeLessThan(FAST_MS)
      await systemClock.sleep(5)
    }
  },
)

it('WS18 hosts of one tenant that all hang leave places to another tenant', async () => {
  const hanging = await Promise.all(
    Array.from({ length: 12 }, () => startHostilePeer(HOSTILE['accepts-silently'])),
  )
  for (const peer of hanging) cleanup.push(peer.close)
  const other = await receiving()
  const { send } = running()
  for (const peer of hanging) {
    for (let nth = 0; nth < 4; nth += 1) await send('one', `${peer.origin}/hook/${nth}`)
  }
  while (hanging.reduce((sum, peer) => sum + peer.connections(), 0) < 12) {
    await systemClock.sleep(5)
  }
  const began = performance.now()
  await send('two', `${other.origin}/hook`)
  while (other.received.length < 1) {
    expect(performance.now() - began).toBeLessThan(FAST_MS)
    await systemClock.sleep(5)
  }
})
