/** The page of a fan-out: its address, the keys of its matrix, and its progress bar. */

import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../src/console/fanout/fields.ts'
import {
  cellAfter,
  dotAt,
  endedOf,
  fanoutSearch,
  marksIn,
  pitchedSize,
  sharesOf,
  withTaskMark,
} from '../../../src/console/fanout/state.ts'

describe('the address of a fan-out', () => {
  it('keeps a known status and an index, and drops anything else', () => {
    expect(fanoutSearch({ status: 'failed', sel: 24 })).toEqual({ status: 'failed', sel: 24 })
    expect(fanoutSearch({ status: 'done', sel: -1, q: 'x' })).toEqual({})
    expect(fanoutSearch({ sel: '24' })).toEqual({})
  })

  it('keeps up to four marked tasks in their order', () => {
    const search = { marked: '7.3.7.x.1.0.9.', view: 'compare' }
    expect(fanoutSearch(search)).toEqual({ marked: '7.3.1.0.', view: 'compare' })
    expect(fanoutSearch({ marked: 7, view: 'all' })).toEqual({ marked: '7.' })
    expect(fanoutSearch({ marked: {} })).toEqual({})
    expect(marksIn(undefined)).toEqual([])
  })

  it('marks a task, removes its mark, and keeps four', () => {
    expect(withTaskMark(undefined, 3)).toBe('3.')
    expect(withTaskMark('3.', 1)).toBe('3.1.')
    expect(withTaskMark('3.1.', 3)).toBe('1.')
    expect(withTaskMark('3.', 3)).toBe(undefined)
    expect(withTaskMark('3.1.0.2.', 9)).toBe('3.1.0.2.')
  })
})

describe('the fields of compared results', () => {
  it('have a row for each name that occurs, and say where values differ', () => {
    const rows = fieldsOf([
      { total: 42, tags: ['a', 'b'], note: null },
      { total: 42, tags: ['a'] },
    ])
    expect(rows).toEqual([
      { name: 'total', values: ['42', '42'], isSame: true },
      { name: 'tags', values: ['["a","b"]', '["a"]'], isSame: false },
      { name: 'note', values: ['null', undefined], isSame: false },
    ])
  })

  it('are none unless each result is an object or absent', () => {
    expect(fieldsOf([{ a: 1 }, [1]])).toBe(undefined)
    expect(fieldsOf([{ a: 'x' }, undefined])).toEqual([
      { name: 'a', values: ['x', undefined], isSame: false },
    ])
    expect(fieldsOf([undefined, null])).toBe(undefined)
  })

  it('do not depend on the order of members', () => {
    const [row] = fieldsOf([{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }]) ?? []
    expect(row?.isSame).toBe(true)
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

describe('the canvas of a large fan-out', () => {
  it('finds the square at each point', () => {
    const { columns, height } = pitchedSize(1_250, 612, 6)
    expect({ columns, height }).toEqual({ columns: 102, height: 78 })
    expect(dotAt(0, 0, { columns, pitch: 6 })).toBe(0)
    expect(dotAt(611, 5, { columns, pitch: 6 })).toBe(101)
    expect(dotAt(3, 6, { columns, pitch: 6 })).toBe(102)
    expect(dotAt(613, 6, { columns, pitch: 6 })).toBe(-1)
  })

  it('has no size before the page has one', () => {
    expect(pitchedSize(1_250, 0, 6)).toEqual({ columns: 0, height: 0 })
    expect(dotAt(3, 3, { columns: 0, pitch: 6 })).toBe(-1)
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
