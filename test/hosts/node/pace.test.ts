/** Who shares the thread with others leaves them their part; who is alone is never held up. */

import { describe, expect, it } from 'vitest'
import { tenantPace } from '../../../src/hosts/node/pace.ts'

/** Counts as a hundred milliseconds. */
const heavy = { length: 100 * 20_000 }

/** Holds the thread. */
function hold(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('the pace of tenants on one thread', () => {
  it('holds up nobody who is alone, whatever he takes', () => {
    const pace = tenantPace()
    for (let nth = 0; nth < 100; nth += 1) expect(pace.turn('only', heavy)).toBeUndefined()
  })
  it('holds up nobody who takes little', () => {
    const pace = tenantPace()
    pace.turn('heavy', heavy)
    for (let nth = 0; nth < 20; nth += 1) expect(pace.turn('light')).toBeUndefined()
  })
  it('lets the heaviest go on piece by piece, and as long as a piece takes others have', async () => {
    const pace = tenantPace()
    const at: number[] = []
    const piece = async (): Promise<void> => {
      await pace.turn('heavy', heavy)
      at.push(performance.now())
      hold(30)
    }
    // Whoever is alone in the first moment begins at once; from then on there are two.
    pace.turn('light')
    await piece()
    pace.turn('light')
    const pieces = [piece(), piece(), piece(), piece()]
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      pace.turn('light')
    }, 5)
    await Promise.all(pieces)
    clearInterval(timer)
    const pauses = at.slice(2).map((time, index) => time - at[index + 1]!)
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(50)
    expect(ticks).toBeGreaterThanOrEqual(6)
  })
  it('lets him go on at once when the other has gone', async () => {
    let now = 0
    const pace = tenantPace(() => now)
    pace.turn('light')
    await pace.turn('heavy', heavy)
    const held = pace.turn('heavy', heavy)
    expect(held).toBeInstanceOf(Promise)
    await held
    now += 10_000
    await expect.poll(() => pace.turn('heavy', heavy)).toBeUndefined()
  })
  it('lets him go on at once however much the other took before it went', async () => {
    let now = 0
    const pace = tenantPace(() => now)
    pace.turn('earlier', { length: 100_000 * 20_000 })
    now += 3_000
    for (let nth = 0; nth < 100; nth += 1) expect(pace.turn('heavy', heavy)).toBeUndefined()
  })
  it('leaves others as much as small pieces took together, not a timer after each', async () => {
    let now = 0
    const pauses: number[] = []
    const pace = tenantPace(
      () => now,
      async (ms) => void pauses.push(ms),
    )
    pace.turn('light')
    pace.turn('heavy', heavy)
    const piece = async (): Promise<void> => {
      await pace.turn('heavy')
      now += 0.25
    }
    await Promise.all(Array.from({ length: 400 }, piece))
    const paused = pauses.reduce((sum, ms) => sum + ms, 0)
    expect(paused).toBeGreaterThan(90)
    expect(paused).toBeLessThanOrEqual(100)
    expect(pauses.length).toBeLessThanOrEqual(50)
  })
  it('lets a request of his go before what his runs wait for', async () => {
    const pace = tenantPace()
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
  it('holds up only so many requests: each keeps memory', () => {
    const pace = tenantPace()
    pace.turn('light')
    const held = Array.from({ length: 200 }, () =>
      pace.turn('heavy', { ...heavy, isRequest: true }),
    )
    expect(held.filter((turn) => turn !== undefined).length).toBeLessThan(70)
  })
  it('lets all pieces go on that wait, in their order', async () => {
    const pace = tenantPace()
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
})
