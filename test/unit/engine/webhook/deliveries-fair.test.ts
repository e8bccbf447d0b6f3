/**
 * Receivers that hang, over real sockets and the lanes of the Node host: they take no places of
 * another host of the same tenant, and none of another tenant.
 */

import { expect, it } from 'vitest'
import { newDelivery } from '../../../../src/core/webhook/delivery.ts'
import { advanceDelivery } from '../../../../src/engine/webhook/attempt.ts'
import { createDelivery } from '../../../../src/engine/webhook/delivery.ts'
import { pinnedFetch } from '../../../../src/hosts/node/outbound.ts'
import { createWeb } from '../../../../src/hosts/outbound/fetch.ts'
import { systemClock } from '../../../../src/hosts/shared/clock.ts'
import type { World } from '../../../../src/ports/world.ts'
import { startCannedServer } from '../../../support/canned-server.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { testWorld } from '../../../support/drive.ts'
import { HOSTILE, startHostilePeer } from '../../../support/hostile/index.ts'
import { measured } from '../../../support/measured.ts'
import { minutes, until } from '../../../support/patience.ts'
import { testLanes } from '../../../support/test-lanes.ts'

/** What a delivery takes beside those that hang. */
const FAST = { wallMs: 2_000 }

function running() {
  const policy = { allowLoopback: true }
  const web = createWeb(policy, pinnedFetch(policy))
  const queue = testLanes({
    widths: { main: 1, subagent: 1, background: 4, delivery: 16 },
    handle: ({ partition }) => advanceDelivery(world, partition),
  })
  const world: World = {
    ...testWorld({ settings: { deliveries: 16 } }),
    queue,
    clock: systemClock,
    // An attempt that hangs does so until its receiver is closed after the test.
    web: { ...web, send: (request) => web.send({ ...request, timeoutMs: minutes(10) }) },
  }
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
  '16 URLs of one host (%s) delay neither another host nor another tenant [WS18 U27]',
  async (name) => {
    const { queue, send } = running()
    const bad = await startHostilePeer(HOSTILE[name])
    cleanup.push(bad.close)
    const [good, other] = await Promise.all([receiving(), receiving()])
    for (let nth = 0; nth < 16; nth += 1) await send('one', `${bad.origin}/hook/${nth}`)
    await until('six places of the bad host', () => bad.connections() >= 6)
    const deliver = async (): Promise<void> => {
      await send('one', `${good.origin}/hook`)
      await send('two', `${other.origin}/hook`)
      await until('one delivery each', () => good.received.length + other.received.length === 2)
      // Those that wait hold nothing, once the good ones are written down.
      await until('their places are free', () => queue.load().delivery.handled <= 6)
    }
    await measured('two deliveries', deliver, FAST)
    // The answer of a switched protocol ends its attempt; the others hang until they are closed.
    if (name !== 'switches-protocols') expect(bad.connections()).toBe(6)
  },
)

it('hanging hosts of one tenant leave slots to another tenant [WS18]', async () => {
  const { send } = running()
  const hanging = await Promise.all(
    Array.from({ length: 12 }, () => startHostilePeer(HOSTILE['accepts-silently'])),
  )
  for (const peer of hanging) cleanup.push(peer.close)
  const other = await receiving()
  for (const peer of hanging) {
    for (let nth = 0; nth < 4; nth += 1) await send('one', `${peer.origin}/hook/${nth}`)
  }
  const connections = () => hanging.reduce((sum, peer) => sum + peer.connections(), 0)
  await until('twelve places of sixteen', () => connections() === 12)
  const deliver = async (): Promise<void> => {
    await send('two', `${other.origin}/hook`)
    await until('the other delivery', () => other.received.length === 1)
  }
  await measured('a delivery', deliver, FAST)
  expect(connections()).toBe(12)
})
