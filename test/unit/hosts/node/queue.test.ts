/** The lanes keep the promises of a queue, and more: order, width and one look at a time. */

import { describe, expect, it, onTestFinished } from 'vitest'
import { type LaneOptions, lanes } from '../../../../src/hosts/node/queue.ts'
import type { Wake } from '../../../../src/ports/world.ts'
import { queueContract } from '../../../contract/queue.ts'

queueContract('lanes', (handle) => {
  const queue = make({ handle })
  return { queue, pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }
})

function make(options: Partial<LaneOptions>) {
  const queue = lanes({
    widths: { main: 4, subagent: 8, background: 4 },
    handle: async () => {},
    onError: () => {},
    ...options,
  })
  onTestFinished(async () => void (await queue.stop(0)))
  return queue
}

const wake = (partition: string, more: Partial<Wake> = {}): Wake => ({
  partition,
  lane: 'main',
  started: false,
  staleCount: 0,
  ...more,
})

/** A handler that holds each partition until it is let go. */
function gate() {
  const seen: Wake[] = []
  const held = new Map<string, () => void>()
  let now = 0
  let most = 0
  return {
    seen,
    order: () => seen.map(({ partition }) => partition),
    most: () => most,
    handle: async (given: Wake) => {
      seen.push(given)
      most = Math.max(most, (now += 1))
      await new Promise<void>((resolve) => held.set(given.partition, resolve))
      now -= 1
    },
    letGo: async (partition: string) => {
      held.get(partition)?.()
      await turn()
    },
    /** Lets everything go until nothing more comes. */
    drain: async () => {
      for (let count = -1; count !== seen.length; ) {
        count = seen.length
        for (const resolve of held.values()) resolve()
        await turn()
      }
    },
  }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('a partition that yields its slot is still handled, and another partition gets the slot', async () => {
  const { handle, order, letGo } = gate()
  const queue = make({ handle, widths: { main: 1, subagent: 1, background: 1 } })
  await queue.send([wake('one'), wake('two'), wake('three'), wake('four')])
  await turn()
  const begun = order().length
  queue.leave('one')
  await turn()
  expect(order()).toHaveLength(begun + 1)
  expect(queue.load().main.handled).toBe(begun)
  // It is still handled: another wake for it waits, and its end gives no place back twice.
  await queue.send([wake('one')])
  expect(order().filter((name) => name === 'one')).toHaveLength(1)
  await letGo('one')
  expect(queue.load().main.handled).toBeLessThanOrEqual(begun)
})

describe('the order of a lane', () => {
  it('a lane handles at most as many partitions at once as its width, independently of other lanes', async () => {
    const door = gate()
    const queue = make({ handle: door.handle, widths: { main: 2, subagent: 3, background: 1 } })
    for (const lane of ['main', 'subagent', 'background'] as const)
      await queue.send(Array.from({ length: 9 }, (_, i) => wake(`${lane}${i}`, { lane })))
    await turn()
    expect(queue.load()).toMatchObject({
      delivery: { waiting: 0, handled: 0, oldestMs: 0 },
      main: { waiting: 7, handled: 2 },
      subagent: { waiting: 6, handled: 3 },
      background: { waiting: 8, handled: 1 },
    })
    await door.drain()
    expect(door.most()).toBe(6)
    expect(new Set(door.order()).size).toBe(27)
  })

  it('started runs precede queued ones, and each kind keeps its order of arrival', async () => {
    const door = gate()
    const queue = make({ handle: door.handle, widths: { main: 1, subagent: 1, background: 1 } })
    await queue.send([wake('first')])
    await turn()
    await queue.send([wake('q1'), wake('s1', { started: true }), wake('q2')])
    await queue.send([wake('s2', { started: true })])
    await door.drain()
    expect(door.order()).toEqual(['first', 's1', 's2', 'q1', 'q2'])
  })

  it('wakes for a waiting partition merge into one pass, as urgent and as fresh as the best of them', async () => {
    const door = gate()
    const queue = make({ handle: door.handle, widths: { main: 1, subagent: 1, background: 1 } })
    await queue.send([wake('first')])
    await turn()
    await queue.send([wake('q'), wake('p', { staleCount: 7 })])
    await queue.send([wake('p', { staleCount: 2, started: true, lane: 'subagent' })])
    await queue.send([wake('q')])
    await door.drain()
    expect(door.seen.slice(1)).toEqual([wake('p', { staleCount: 2, started: true }), wake('q')])
  })

  it('wakes for a partition in progress cause exactly one more pass afterwards', async () => {
    const door = gate()
    const queue = make({ handle: door.handle })
    await queue.send([wake('p')])
    await turn()
    for (let i = 0; i < 5; i += 1)
      await queue.send([wake('p', { lane: i % 2 ? 'main' : 'subagent' })])
    await turn()
    expect(door.order()).toEqual(['p'])
    await door.letGo('p')
    expect(door.order()).toEqual(['p', 'p'])
    await door.drain()
    expect(door.order()).toEqual(['p', 'p'])
  })
})

describe('errors and shutdown', () => {
  it('an error thrown by a handler, at once or later, is reported and stops nothing [MC-19]', async () => {
    const errors: string[] = []
    const queue = make({
      handle: (given) => {
        if (given.partition === 'at once') throw new Error(given.partition)
        return Promise.reject(new Error(given.partition))
      },
      onError: (error, given) => errors.push(`${(error as Error).message} ${given.partition}`),
    })
    await queue.send([wake('at once'), wake('later')])
    await queue.idle()
    expect(errors.sort()).toEqual(['at once at once', 'later later'])
  })

  it('idle waits for work in progress, queued work, and everything they send', async () => {
    const seen: string[] = []
    const queue = make({
      handle: async ({ partition, staleCount: hops }) => {
        await turn()
        seen.push(`${partition}${hops}`)
        if (hops < 3) await queue.send([wake(partition, { staleCount: hops + 1 })])
      },
    })
    await queue.idle()
    await queue.send([wake('p'), wake('q')])
    await queue.idle()
    expect(seen.sort()).toEqual(['p0', 'p1', 'p2', 'p3', 'q0', 'q1', 'q2', 'q3'])
  })

  it('stop waits for work in progress, drops queued work, and ignores later sends', async () => {
    const door = gate()
    const queue = make({ handle: door.handle, widths: { main: 1, subagent: 1, background: 1 } })
    await queue.send([wake('p'), wake('waits')])
    await queue.send([wake('delayed')], 5)
    await turn()
    await queue.send([wake('p')])
    expect(await queue.stop(20)).toBe(false)
    expect(await queue.send([wake('late')])).toBe('lost')
    const stopped = queue.stop(30_000)
    await door.letGo('p')
    expect(await stopped).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(door.order()).toEqual(['p'])
  })
})

describe('fairness between tenants', () => {
  const of = (tenant: string, count: number, more: Partial<Wake> = {}) =>
    Array.from({ length: count }, (_, nth) => wake(`${tenant}/run/${nth}`, more))

  it('tenants alternate, each in its own order, with started runs before queued ones', async () => {
    const door = gate()
    const queue = make({ handle: door.handle, widths: { main: 1, subagent: 1, background: 1 } })
    await queue.send(of('a', 1))
    await turn()
    await queue.send([...of('b', 2), wake('b/run/s', { started: true }), ...of('c', 1)])
    await queue.send([wake('a/run/s', { started: true })])
    await turn()
    await door.drain()
    expect(door.order()).toEqual(['a/run/0', 'b/run/s', 'c/run/0', 'a/run/s', 'b/run/0', 'b/run/1'])
  })

  it('a tenant whose runs fill every slot leaves some to others, whatever has started [U27]', async () => {
    const door = gate()
    const queue = make({ handle: door.handle, widths: { main: 4, subagent: 1, background: 1 } })
    await queue.send(of('evil', 50, { started: true }))
    await turn()
    expect(door.order()).toHaveLength(4)
    await queue.send(of('good', 4))
    await turn()
    expect(door.order().slice(4)).toEqual(['good/run/0', 'good/run/1'])
    await door.letGo('good/run/0')
    expect(door.order().slice(6)).toEqual(['good/run/2'])
    await door.letGo('good/run/1')
    expect(door.order().slice(7)).toEqual(['good/run/3'])
    expect(door.most()).toBe(6)
  })

  it('a tenant that runs alone gets the whole width and no more', async () => {
    const door = gate()
    const queue = make({ handle: door.handle, widths: { main: 4, subagent: 1, background: 1 } })
    await queue.send(of('a', 9))
    await turn()
    expect(door.most()).toBe(4)
    await door.drain()
    expect(door.most()).toBe(4)
  })
})
