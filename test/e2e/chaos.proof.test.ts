/** `npm run chaos` with two kills; `CHAOS_SEED` repeats a seed. */

import { expect, it } from 'vitest'
import { chaos } from '../chaos/chaos.ts'

it('a server killed under load loses nothing that it acknowledged and doubles nothing', async () => {
  const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const { done, violations } = await chaos({ kills: 2, seed })
  expect(violations, `seed ${seed}`).toEqual([])
  const least = ['runs accepted', 'fan-outs accepted', 'once effects performed', 'events delivered']
  for (const what of [...least, 'readers']) {
    expect(done[what], what).toBeGreaterThan(0)
  }
})
