/** What the simulator once found here, as small plans that are replayed for ever. */

import { describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { keptPlans, keptWorlds } from './kept.ts'
import { variations } from './shrink.ts'
import { simulate } from './world.ts'

const VARIATIONS = 25
const names = BUGS.map(({ name }) => name)

describe('what was found stays mended', () => {
  for (const plan of keptPlans()) {
    it(plan.name, { timeout: 180_000 }, async () => {
      expect(names).toEqual(expect.arrayContaining([...plan.bugs]))
      for (const variation of variations(plan, VARIATIONS)) {
        expect((await simulate(variation)).violations, `seed ${variation.seed}`).toEqual([])
      }
    })
  }

  it('remembers worlds of planted bugs that there are', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(keptWorlds())))
  })
})
