/**
 * The simulator in short: fixed seeds, each world green and the same twice, and some planted bugs,
 * each found. `npm run sim` runs thousands.
 */

import { describe, expect, it } from 'vitest'
import { inParallel } from './cli/pool.ts'

const BATCH = { from: 1, count: 200, twice: false, stopAtFirst: false, bug: undefined }

describe('the simulated world', () => {
  it('obeys its laws over 200 seeds of faults [WS22]', async () => {
    const figures = await inParallel(BATCH, 2)
    expect(figures.red).toEqual([])
    expect(figures.seeds).toBe(200)
    expect(figures.deaths).toBeGreaterThan(0)
  })

  it('is deterministic for each seed [I23]', async () => {
    const figures = await inParallel({ ...BATCH, count: 8, twice: true }, 1)
    expect(figures.unequal).toEqual([])
  })

  it('reveals planted bugs', async () => {
    const names = ["another worker's intent performed", 'real: a moment that is past is waited for']
    for (const bug of names) {
      const batch = { ...BATCH, count: 60, stopAtFirst: true, bug }
      expect((await inParallel(batch, 1)).red, bug).toHaveLength(1)
    }
  })
})
