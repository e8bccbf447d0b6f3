/**
 * In some worlds the operator has limited the second tenant: its live runs, its files, what it may
 * spend in a day. Some more runs of it come close together then, so that the limits are met.
 */

import type { TenantLimits } from '../../../src/core/tenant-limits.ts'
import type { Create, Limit, Operation } from './operations.ts'
import { createOperation, TENANTS } from './plan.ts'
import type { Chance } from './random.ts'

/** So many worlds have a limited tenant. */
const ONE_IN = 8
const SHAPE = { depth: 1, width: 3, guarded: false }

/** A stream of its own decides, so that all other worlds stay as they are. */
export function withLimits(chance: Chance, operations: readonly Operation[]): Operation[] {
  if (!chance.flip(1 / ONE_IN)) return [...operations]
  const tenant = TENANTS[1]
  const limits = drawn(chance.fork('limits'))
  const limit: Limit = { op: 'limit', at: 0, name: `limits of ${tenant}`, tenant, limits }
  const count = chance.between(2, 5)
  const began = chance.int(30_000)
  const more = Array.from({ length: count }, (_, index): Create => {
    const name = `q${index}`
    const at = began + chance.int(8_000)
    return { ...createOperation(chance.fork(name), name, SHAPE, at), tenant }
  })
  return [limit, ...operations, ...more].sort((left, right) => left.at - right.at)
}

/** One at least. A call of a model reserves some 12,000 tokens and 12 dollars, and costs 110. */
function drawn(chance: Chance): TenantLimits {
  const runs = chance.pick([1, 2, 2, 3, 5])
  const tokens = chance.pick([6_000, 14_000, 30_000, 80_000])
  const dollars = chance.pick([6, 14, 30, 80])
  const files = chance.pick([1, 2, 4, 8])
  const [spends, pays, stores] = [chance.flip(0.35), chance.flip(0.2), chance.flip(0.25)]
  const limits = {
    ...(spends ? { tokens_per_day: tokens } : {}),
    ...(pays ? { dollars_per_day: dollars } : {}),
    ...(stores ? { files } : {}),
  }
  const few = chance.flip(0.75) || Object.keys(limits).length === 0
  return { ...(few ? { live_runs: runs } : {}), ...limits }
}

/** The limits of a world, as its operations say. */
export const limitOf = (operations: readonly Operation[]): Limit | undefined =>
  operations.find((one): one is Limit => one.op === 'limit')
