/**
 * How many calls of AWS a run waits for, one after another (`npm run bench -- aws`): these numbers may
 * fall, and none may rise.
 */

import { expect, it } from 'vitest'
import { type Case, countsOf, leastTrips, measure, UNITS } from '../../measure/bench/aws.ts'

it.each<readonly [Case, number]>([
  ['plain, waited for', 4],
  ['plain, by the queue', 5],
  ['fan-out of 8, waited for', 14],
  ['fan-out of 8, by the queue', 15],
])('%s: at most %i trips', async (name, most) => {
  expect(await leastTrips(name, most)).toBeLessThanOrEqual(most)
})

it('a warm run lists nothing and reads no object', async () => {
  const { calls } = await measure(UNITS, 'fan-out of 8, by the queue')
  const { 'object list': lists = 0, 'object get': gets = 0 } = countsOf(calls)
  expect([lists, gets]).toEqual([0, 0])
})
