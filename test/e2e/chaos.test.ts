/** A short `npm run chaos`: the long ones are run by hand and in CI. */

import { expect, it } from 'vitest'
import { chaos } from '../chaos/chaos.ts'

/** A run that two deaths in a row may have been the fault of waits for minutes (`restMs`). */
const TEST_MS = 480_000
const TITLE = 'a server killed under load loses nothing that it acknowledged and doubles nothing'

it(TITLE, { timeout: TEST_MS }, async () => {
  const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const { done, violations } = await chaos({ kills: 2, seed })
  expect(violations, `seed ${seed}`).toEqual([])
  const least = ['runs accepted', 'fan-outs accepted', 'once effects performed', 'events delivered']
  for (const what of [...least, 'readers']) {
    expect(done[what], what).toBeGreaterThan(0)
  }
})
