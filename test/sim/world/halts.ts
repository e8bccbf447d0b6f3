/**
 * In some worlds the operator pauses or suspends a tenant in the middle, and resumes it. A stream of
 * its own decides, so that all other worlds stay as they are.
 */

import type { Operation } from './operations.ts'
import type { Chance } from './random.ts'

/** Who the operator is to the line: its key manages tenants, and it acts for all of them. */
export const OPERATOR_KEY = '_'

/** Each tenant is halted once at most, so that no resumption is meant for another halt. */
export function haltOperations(chance: Chance, tenants: readonly string[]): Operation[] {
  const first = chance.pick(tenants)
  const halted = chance.flip(0.3) ? tenants : [first]
  return halted.map((tenant, index) => ({
    op: 'halt' as const,
    at: chance.int(60_000),
    name: `halt ${index}`,
    tenant,
    to: chance.pick(['pause', 'pause', 'suspend'] as const),
    ms: chance.pick([2_000, 20_000, 90_000, 400_000]),
  }))
}

/** Whether tenants of a world have rows, which the engine then reads. */
export const isHalting = (operations: readonly Operation[]): boolean =>
  operations.some(({ op }) => op === 'halt')
