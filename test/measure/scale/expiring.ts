/** Rows of D1 that go by the minute's sweep, for a run whose request has an Idempotency-Key. */

import { countingHome } from '../cost/workers/home.ts'

const TIMES = 5

export async function expiringRows(): Promise<number> {
  const home = await countingHome(0)
  try {
    await home.start('@say warm', 'the-first-one')
    const before = await home.rest()
    for (let time = 0; time < TIMES; time += 1)
      await home.start('@say hello', `one-of-five-${time}`)
    return ((await home.rest()).expiring - before.expiring) / TIMES
  } finally {
    await home.stop()
  }
}
