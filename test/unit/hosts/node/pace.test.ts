/** Who shares the thread with others leaves them their part; who is alone is never held up. */

import { describe, expect, it } from 'vitest'
import { fairPace } from '../../../../src/hosts/node/pace.ts'
import { eventually } from '../../../support/patience.ts'

/** Counts as a hundred milliseconds. */
const heavy = { length: 100 * 20_000 }

describe('the fair scheduling of tenants on one thread', () => {
  it('never delays a tenant that runs alone, however much time it uses', () => {
    const pace = fairPace()
    for (let nth = 0; nth < 100; nth += 1) expect(pace.turn('only', heavy)).toBeUndefined()
  })
  it('never delays a tenant that uses little time', () => {
    const pace = fairPace()
    pace.turn('heavy', heavy)
    for (let nth = 0; nth < 20; nth += 1) expect(pace.turn('light')).toBeUndefined()
  })
  it('runs the heaviest tenant piece by piece and gives others as much time after each piece', async () => {
    let now = 0
    const order: string[] = []
    const pause = async (ms: number): Promise<void> => {
      order.push(`others for ${ms} ms`)
      now += ms
      pace.turn('light')
    }
    const pace = fairPace(() => now, pause)
    const piece = async (): Promise<void> => {
      await pace.turn('heavy', heavy)
      order.push('piece')
      now += 30
    }
    pace.turn('light')
    await Promise.all([piece(), piece(), piece(), piece()])
    const turn = ['piece', 'others for 30 ms']
    expect(order).toEqual([...turn, ...turn, ...turn, 'piece'])
  })
  it('resumes the heaviest tenant at once when the other one leaves', async () => {
    let now = 0
    const pace = fairPace(() => now)
    pace.turn('light')
    await pace.turn('heavy', heavy)
    const held = pace.turn('heavy', heavy)
    expect(held).toBeInstanceOf(Promise)
    await held
    now += 10_000
    await eventually(() => expect(pace.turn('heavy', heavy)).toBeUndefined())
  })
  it("serves a tenant's request before its waiting runs", async () => {
    const pace = fairPace()
    pace.turn('light')
    pace.turn('heavy', heavy)
    const order: string[] = []
    const piece = async (name: string, isRequest: boolean): Promise<void> => {
      await pace.turn('heavy', { ...heavy, isRequest })
      order.push(name)
    }
    await Promise.all([piece('1', false), piece('2', false), piece('cancel', true)])
    expect(order).toEqual(['cancel', '1', '2'])
  })
  it('delays a limited number of requests, because each one uses memory', () => {
    const pace = fairPace()
    pace.turn('light')
    const held = Array.from({ length: 200 }, () =>
      pace.turn('heavy', { ...heavy, isRequest: true }),
    )
    expect(held.filter((turn) => turn !== undefined).length).toBeLessThan(70)
  })
  it('resumes all waiting pieces in order', async () => {
    const pace = fairPace()
    pace.turn('light')
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, async (_, nth) => {
        await pace.turn('heavy', heavy)
        order.push(nth)
      }),
    )
    expect(order).toEqual(Array.from({ length: 20 }, (_, nth) => nth))
  })
  it('delays up to the configured number of requests and lets the others proceed', () => {
    const pace = fairPace(undefined, undefined, 3)
    pace.turn('light')
    pace.turn('heavy', heavy)
    const waits = Array.from({ length: 5 }, () => pace.turn('heavy', { ...heavy, isRequest: true }))
    expect(waits.map((wait) => wait !== undefined)).toEqual([true, true, true, false, false])
  })
})
