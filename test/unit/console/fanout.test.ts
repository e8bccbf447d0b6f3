/** The page of a fan-out: its address, the keys of its matrix, and its progress bar. */

import { describe, expect, it } from 'vitest'
import { cellAfter, endedOf, fanoutSearch, sharesOf } from '../../../src/console/fanout/state.ts'

describe('the address of a fan-out', () => {
  it('keeps a known status and an index, and drops anything else', () => {
    expect(fanoutSearch({ status: 'failed', sel: 24 })).toEqual({ status: 'failed', sel: 24 })
    expect(fanoutSearch({ status: 'done', sel: -1, q: 'x' })).toEqual({})
    expect(fanoutSearch({ sel: '24' })).toEqual({})
  })
})

describe('the matrix of tasks', () => {
  const size = { count: 250, columns: 100 }

  it('moves by cells and rows, and stays inside', () => {
    expect(cellAfter('ArrowRight', 0, size)).toBe(1)
    expect(cellAfter('ArrowLeft', 0, size)).toBe(0)
    expect(cellAfter('ArrowDown', 20, size)).toBe(120)
    expect(cellAfter('ArrowDown', 160, size)).toBe(160)
    expect(cellAfter('ArrowUp', 20, size)).toBe(20)
    expect(cellAfter('End', 3, size)).toBe(249)
    expect(cellAfter('Home', 249, size)).toBe(0)
  })

  it('ignores other keys, and has nowhere to go without tasks', () => {
    expect(cellAfter('a', 0, size)).toBe(undefined)
    expect(cellAfter('End', 0, { count: 0, columns: 100 })).toBe(undefined)
  })
})

describe('the progress of a fan-out', () => {
  const counts = {
    ...{ total: 10, queued: 3, live: 2, completed: 4, failed: 1, timed_out: 0, cancelled: 0 },
  }

  it('has a part for each status that occurs, except waiting tasks', () => {
    expect(sharesOf(counts)).toEqual([
      ['completed', 0.4],
      ['failed', 0.1],
      ['live', 0.2],
    ])
    expect(endedOf(counts)).toBe(5)
  })

  it('has no part for a fan-out without tasks', () => {
    const none = { total: 0, queued: 0, live: 0, completed: 0, failed: 0, timed_out: 0 }
    expect(sharesOf({ ...none, cancelled: 0 })).toEqual([])
  })
})
