import { describe, expect, it } from 'vitest'
import { ReadBudget } from '../../../../src/hosts/outbound/read-budget.ts'

const FREE = 65_536

describe('the shared read budget of all exchanges', () => {
  it('is bounded beyond a small allowance for each exchange', () => {
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

  it('is returned completely and once, and an abandoned exchange uses none of it again', () => {
    const budget = new ReadBudget(1_000)
    const one = budget.open()
    expect(one.hold(FREE + 600)).toBe(true)
    one.release()
    one.release()
    expect(one.hold(FREE + 600)).toBe(false)
    expect(budget.bytesLeft).toBe(1_000)
  })
})
