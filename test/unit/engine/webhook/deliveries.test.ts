import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { newDelivery } from '../../../../src/core/webhook/delivery.ts'
import { deliveryPartition } from '../../../../src/engine/partition/keys.ts'
import { advanceDelivery } from '../../../../src/engine/webhook/attempt.ts'
import { createDelivery, readDelivery } from '../../../../src/engine/webhook/delivery.ts'
import { countAttempt, enter, leave } from '../../../../src/engine/webhook/throttle.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { pinnedFetch } from '../../../../src/hosts/node/outbound.ts'
import { createWeb } from '../../../../src/hosts/outbound/fetch.ts'
import { systemClock } from '../../../../src/hosts/shared/clock.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import type { World } from '../../../../src/ports/world.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { TENANT, testWorld } from '../../../support/drive.ts'
import { measured } from '../../../support/measured.ts'
import { until } from '../../../support/patience.ts'
import { testLanes } from '../../../support/test-lanes.ts'

const URLS = { bad: 'https://hanging.example', good: 'https://healthy.example' }

/**
 * Attempts on the lanes of a real host while one receiver does not answer: how many of the good ones
 * were made before it did, and how many it held at once.
 */
async function attempts(bad: number, good: number) {
  const counts = { good: 0, hanging: 0, mostHanging: 0 }
  const answers = Promise.withResolvers<void>()
  const queue = testLanes({
    widths: { main: 1, subagent: 1, background: 4 },
    handle: ({ partition }) => advanceDelivery(world, partition),
  })
  const memory = testWorld()
  const world: World = {
    ...memory,
    queue,
    clock: systemClock,
    web: {
      check: () => undefined,
      async send({ url }) {
        if (url === URLS.bad) {
          counts.hanging += 1
          counts.mostHanging = Math.max(counts.mostHanging, counts.hanging)
          await answers.promise
          return { ok: false, error: 'no answer' }
        }
        counts.good += 1
        return ok({ status: 200, headers: {}, body: '' })
      },
    },
  }
  const create = async (url: string, number: number): Promise<void> => {
    const id = `dlv_${String(number).padStart(26, '0')}`
    const sealed = await world.secrets.seal(`whsec_${'A'.repeat(43)}=`, 'run_x')
    const about = { id, tenant: TENANT, run_id: 'run_x', seq: number, event_type: 'x', url }
    await createDelivery(world, newDelivery(about, systemClock.now()), '{}', sealed)
  }
  for (let number = 0; number < bad; number += 1) await create(URLS.bad, number)
  for (let number = 0; number < good; number += 1) await create(URLS.good, 1_000 + number)
  await until('the good deliveries', () => counts.good === good)
  const found = { ...counts }
  answers.resolve()
  return found
}

const SOON = { ok: true, ms: 10 }
const FAILED = { ok: false, ms: 10 }

describe('delivery slots', () => {
  it('a hanging receiver occupies one of four slots, and the others continue [WS18]', async () => {
    // No hanging attempt has ended yet, so that all of the good ones had the other places.
    expect(await attempts(50, 40)).toEqual({ good: 40, hanging: 1, mostHanging: 1 })
  })

  it('at most four run at once, one after a failure (including 502 and 504), more as it responds [WS12 WS18]', () => {
    const world = { store: memoryStore(), settings: { deliveries: 16 } }
    const r = { tenant: 't', host: 'r.example', url: 'r', id: 'r' }
    const at = (name: string) => enter(world, r, name)
    expect([at('a'), at('b')]).toEqual([true, false])
    expect(at('a')).toBe(false)
    expect(countAttempt(world, r, SOON)).toBe(0)
    expect(leave(world, r, 'a')).toEqual(['b'])
    expect([at('b'), at('c'), at('d')]).toEqual([true, true, false])
    expect(countAttempt(world, r, FAILED)).toBe(1)
    expect(leave(world, r, 'b')).toEqual([])
    expect(leave(world, r, 'c')).toEqual(['d'])
    for (let count = 0; count < 5; count += 1) expect(countAttempt(world, r, SOON)).toBe(0)
    expect(['d', 'e', 'f', 'g', 'h'].map(at)).toEqual([true, true, true, true, false])
    expect(enter(world, { ...r, host: 'another.example' }, 'x')).toBe(true)
  })

  it('a slow 200 leaves a receiver one slot until it responds quickly [WS18]', () => {
    const world = { store: memoryStore(), settings: { deliveries: 16 } }
    const r = { tenant: 't', host: 'r.example', url: 'r', id: 'r' }
    const most = (): number => {
      const names = Array.from({ length: 9 }, (_, nth) => `d${nth}`)
      const running = names.filter((name) => enter(world, r, name))
      for (const name of names) leave(world, r, name)
      return running.length
    }
    for (let count = 0; count < 5; count += 1) countAttempt(world, r, SOON)
    expect(most()).toBe(4)
    countAttempt(world, r, { ok: true, ms: 14_000 })
    expect(most()).toBe(1)
    countAttempt(world, r, SOON)
    expect(most()).toBe(2)
  })

  it('the last slot of a host is left to other receivers [WS18]', () => {
    for (const deliveries of [4, 8, 16, 64]) {
      const world = { store: memoryStore(), settings: { deliveries } }
      const slow = { tenant: 't', host: 'r.example', url: '/slow', id: 'a' }
      for (let count = 0; count < 5; count += 1) countAttempt(world, slow, SOON)
      for (let nth = 0; nth < 99; nth += 1) enter(world, slow, `s${nth}`)
      expect(enter(world, { ...slow, url: '/fast' }, 'f'), String(deliveries)).toBe(true)
    }
  })

  it('receivers of one host share half of their tenant’s slots in turn [WS18]', () => {
    const world = { store: memoryStore(), settings: { deliveries: 8 } }
    const at = (tenant: string, host: string, url: string) => ({ tenant, host, url, id: url })
    const hanging = Array.from({ length: 16 }, (_, n) => at('evil', 'hangs.example', `u${n}`))
    expect(hanging.map((r) => enter(world, r, r.id)).filter(Boolean)).toHaveLength(3)
    // More hosts get no more than the tenant's: six of eight.
    const more = Array.from({ length: 16 }, (_, n) => at('evil', `h${n}.example`, `h${n}`))
    expect(more.map((r) => enter(world, r, r.id)).filter(Boolean)).toHaveLength(3)
    expect(enter(world, at('good', 'hangs.example', 'g'), 'g')).toBe(true)
    // A place that is free goes to the hosts in turn, not to who has asked for most.
    expect(leave(world, more[0]!, 'h0')).toEqual(['h3'])
    expect(leave(world, hanging[0]!, 'u0')).toEqual(['u3', 'h4'])
  })

  it('URLs known to be slow leave the last slot of their host to others [WS18]', () => {
    const world = { store: memoryStore(), settings: { deliveries: 16 } }
    const to = (url: string) => ({ tenant: 't', host: 'r.example', url, id: url })
    const slow = Array.from({ length: 9 }, (_, n) => to(`s${n}`))
    for (const one of slow) countAttempt(world, one, { ok: true, ms: 14_000 })
    expect(slow.filter((one) => enter(world, one, one.url))).toHaveLength(5)
    expect(enter(world, to('fast'), 'f1')).toBe(true)
    expect(enter(world, to('fast'), 'f2')).toBe(false)
    countAttempt(world, to('fast'), SOON)
    expect(leave(world, to('fast'), 'f1')).toEqual(['f2'])
    expect(enter(world, to('fast'), 'f2')).toBe(true)
    expect(leave(world, to('fast'), 'f2')).toEqual([])
    expect(leave(world, slow[0]!, 's0')).toEqual(['s5'])
  })

  it('endpoints at one URL share its slots, with separate failure counts [WS18]', () => {
    const world = { store: memoryStore(), settings: { deliveries: 16 } }
    const to = (id: string) => ({ tenant: 't', host: 'r.example', url: 'u', id })
    expect([enter(world, to('a'), 'a'), enter(world, to('b'), 'b')]).toEqual([true, false])
    expect([countAttempt(world, to('a'), FAILED), countAttempt(world, to('b'), FAILED)]).toEqual([
      1, 1,
    ])
    expect(leave(world, to('a'), 'a')).toEqual(['b'])
  })

  it('a free slot of a host goes to its receivers in turn [WS18]', () => {
    const world = { store: memoryStore(), settings: { deliveries: 16 } }
    const to = (url: string) => ({ tenant: 't', host: 'r.example', url, id: url })
    const at = (url: string, name: string) => enter(world, to(url), name)
    const left = (url: string) => leave(world, to(url), url)
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) expect(at(id, id)).toBe(true)
    for (const name of ['g1', 'g2', 'g3']) expect(at('g', name)).toBe(false)
    expect(at('h', 'h1')).toBe(false)
    expect(left('a')).toEqual(['g1'])
    expect(left('b')).toEqual(['h1', 'g2'])
  })

  it('idle receivers leave no state', () => {
    const world = { store: memoryStore(), settings: {} }
    const r = { tenant: 't', host: 'r.example', url: 'r', id: 'r' }
    for (const name of ['a', 'b']) enter(world, r, name)
    expect(leave(world, r, 'a')).toEqual(['b'])
    expect(leave(world, r, 'b')).toEqual([])
    expect(['d', 'e'].map((name) => enter(world, r, name))).toEqual([true, false])
  })
})

describe('a delivery attempt', () => {
  it('has 15 seconds in total [WS13]', async () => {
    const seen: number[] = []
    const web: World['web'] = {
      check: () => undefined,
      async send({ timeoutMs }) {
        seen.push(timeoutMs)
        return ok({ status: 200, headers: {}, body: '' })
      },
    }
    const world = testWorld({ web })
    const sealed = await world.secrets.seal(`whsec_${'A'.repeat(43)}=`, 'run_x')
    const id = `dlv_${'0'.repeat(26)}`
    const about = { id, tenant: TENANT, run_id: 'run_x', seq: 1, event_type: 'x' }
    await createDelivery(world, newDelivery({ ...about, url: URLS.good }, 0), '{}', sealed)
    await advanceDelivery(world, deliveryPartition(TENANT, id))
    expect(seen).toEqual([15_000])
  })

  it('is recorded although the clock postpones the alarm during it', async () => {
    let pushed = 0
    const web: World['web'] = {
      check: () => undefined,
      async send() {
        // The minute clock has sent the wake that this attempt answers, and now moves the alarm.
        pushed += await tick(world)
        return ok({ status: 204, headers: {}, body: '' })
      },
    }
    const world = testWorld({ web })
    const sealed = await world.secrets.seal(`whsec_${'A'.repeat(43)}=`, 'run_x')
    const id = `dlv_${'0'.repeat(26)}`
    const about = { id, tenant: TENANT, run_id: 'run_x', seq: 1, event_type: 'x' }
    await createDelivery(world, newDelivery({ ...about, url: URLS.good }, 0), '{}', sealed)
    world.clock.advance(120_000)
    await advanceDelivery(world, deliveryPartition(TENANT, id))
    const found = await readDelivery(world, TENANT, id)
    expect(pushed).toBe(1)
    expect(found?.delivery).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(found?.attempts).toHaveLength(1)
  })

  it('releases its slot to the next delivery when nothing is left to attempt', async () => {
    let asked = 0
    const answers = Promise.withResolvers<void>()
    const web: World['web'] = {
      check: () => undefined,
      async send() {
        asked += 1
        await answers.promise
        return ok({ status: 500, headers: {}, body: '' })
      },
    }
    const world = testWorld({ web })
    const sealed = await world.secrets.seal(`whsec_${'A'.repeat(43)}=`, 'run_x')
    const create = async (number: number): Promise<string> => {
      const id = `dlv_${String(number).padStart(26, '0')}`
      const about = { id, tenant: TENANT, run_id: 'run_x', seq: number, event_type: 'x' }
      await createDelivery(world, newDelivery({ ...about, url: URLS.bad }, 0), '{}', sealed)
      return deliveryPartition(TENANT, id)
    }
    const [a, c, d] = [await create(1), await create(3), await create(4)]
    world.queue.take()
    const wakes = () => world.queue.take().map(({ partition }) => partition)
    const first = advanceDelivery(world, a)
    await until('an attempt', () => asked === 1)
    await Promise.all([advanceDelivery(world, c), advanceDelivery(world, d)])
    answers.resolve()
    await first
    expect(asked).toBe(1)
    expect(wakes()).toContain(c)
    const elsewhere = { ...world, store: { ...world.store } }
    await advanceDelivery(elsewhere, c)
    world.queue.take()
    await advanceDelivery(world, c)
    expect(wakes()).toContain(d)
  })

  it('gives up after 5 seconds without a connection [WS13]', async () => {
    const sockets: { destroy(): unknown }[] = []
    // It takes the connection and never says anything: no TLS comes about.
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    cleanup.push(async () => {
      for (const socket of sockets) socket.destroy()
    })
    cleanup.unshift(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.address() as { port: number }
    const web = createWeb({ allowLoopback: true }, pinnedFetch({ allowLoopback: true }))
    const send = () =>
      web.send({
        method: 'POST',
        url: `https://127.0.0.1:${port}/`,
        headers: {},
        body: '{}',
        timeoutMs: 15_000,
        maxBytes: 100,
      })
    const answer = await measured('a connection that never opens', send, { wallMs: 14_000 })
    expect(answer).toEqual({ ok: false, error: 'no connection within 5000 ms' })
  })
})
