/**
 * What every queue promises, as tests; the words are those of `Queue` in src/ports/world.ts. A
 * host says how its wakes reach a handler; how soon, how often and in which order is its own.
 */

import { describe, expect, it } from 'vitest'
import type { Queue, Wake } from '../../src/ports/world.ts'
import { eventually, startTimer } from '../support/patience.ts'

type Handle = (wake: Wake) => Promise<void>
interface QueueUnderTest {
  readonly queue: Queue
  /** Lets this much time pass for delayed wakes: really, or on the clock of the host. */
  pass(ms: number): Promise<void>
}
/** A queue that brings each wake to `handle` by itself. */
export type MakeQueue = (handle: Handle) => QueueUnderTest | Promise<QueueUnderTest>

export function queueContract(name: string, make: MakeQueue): void {
  describe(`queue: ${name}`, () => {
    it('delivers each wake at least once, with all its fields', async () => {
      const seen: Wake[] = []
      const { queue } = await make(async (wake) => void seen.push(wake))
      const sent = [
        wakeOf('a', { lane: 'main', started: true, staleCount: 3 }),
        wakeOf('b', { lane: 'subagent' }),
        wakeOf('c', { lane: 'background', staleCount: 50 }),
      ]
      expect(await queue.send(sent)).toBe('ok')
      await eventually(() => expect(seen).toEqual(expect.arrayContaining(sent)))
    })

    it('accepts many wakes in one send, and zero', async () => {
      const seen = new Set<string>()
      const sent = Array.from({ length: 120 }, (_, i) => wakeOf(`many-${i}`))
      const { queue } = await make(async ({ partition }) => {
        // Others come at least once: one of the test before may come again.
        if (partition.startsWith('many-')) seen.add(partition)
      })
      expect(await queue.send([])).toBe('ok')
      expect(await queue.send(sent)).toBe('ok')
      await eventually(() => expect(seen.size).toBe(120))
    })

    it('delivers a wake sent during the handling of its partition afterwards', async () => {
      const staleCount: number[] = []
      const { queue } = await make(async (wake) => {
        staleCount.push(wake.staleCount)
        if (wake.staleCount < 5) await queue.send([{ ...wake, staleCount: wake.staleCount + 1 }])
      })
      await queue.send([wakeOf('loop')])
      await eventually(() => expect(new Set(staleCount)).toEqual(new Set([0, 1, 2, 3, 4, 5])))
    })

    it('delivers a delayed wake after its delay, never earlier', async () => {
      /** Whether its delay was over when a partition came; timers may round by some milliseconds. */
      const came = new Map<string, boolean>()
      let isDue = (): boolean => false
      const { queue, pass } = await make(async ({ partition }) => {
        came.set(partition, isDue())
      })
      isDue = startTimer(990)
      expect(await queue.send([wakeOf('later')], 1_000)).toBe('ok')
      await queue.send([wakeOf('now')])
      await eventually(() => expect([...came.keys()]).toContain('now'))
      await pass(500)
      // On a busy machine its time may have come by now; only before it nothing may come.
      if (came.has('later')) expect(came.get('later')).toBe(true)
      await pass(600)
      await eventually(() => expect([...came.keys()]).toContain('later'))
    })

    it('delivers later wakes after a handler fails', async () => {
      const seen = new Set<string>()
      const { queue } = await make(async ({ partition }) => {
        seen.add(partition)
        if (partition === 'bad') throw new Error('broken on purpose')
      })
      await queue.send([wakeOf('bad'), wakeOf('good')])
      await queue.send([wakeOf('last')])
      const all = ['bad', 'good', 'last']
      await eventually(() => expect([...seen]).toEqual(expect.arrayContaining(all)))
    })
  })
}

const wakeOf = (partition: string, more: Partial<Wake> = {}): Wake => ({
  partition,
  lane: 'main',
  started: false,
  staleCount: 0,
  ...more,
})
