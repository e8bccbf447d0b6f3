import { describe, expect, it } from 'vitest'
import { ReadBudget } from '../../../../src/hosts/outbound/read-budget.ts'

const FREE = 65_536

describe('what all exchanges hold together', () => {
  it('is bounded beyond the little that each has for itself', () => {
    const budget = new ReadBudget(1_000)
    const [one, other] = [budget.open(), budget.open()]
    expect(one.hold(FREE + 600)).toBe(true)
    expect(other.hold(FREE)).toBe(true)
    expect(other.hold(FREE + 401)).toBe(false)
    expect(other.hold(FREE + 400)).toBe(true)
    expect(budget.bytesLeft).toBe(0)
    // An event has ended: what it took is free.
    expect(one.hold(10)).toBe(true)
    expect(other.hold(FREE + 1_000)).toBe(true)
  })

  it('comes back whole, once, and what was given up takes nothing again', () => {
    const budget = new ReadBudget(1_000)
    const one = budget.open()
    expect(one.hold(FREE + 600)).toBe(true)
    one.release()
    one.release()
    expect(one.hold(FREE + 600)).toBe(false)
    expect(budget.bytesLeft).toBe(1_000)
  })
})
