/** What the simulator once found here, as small plans that are replayed for ever. */

import { describe, expect, it } from 'vitest'
import { BUGS } from './bugs/index.ts'
import { keptPlans, keptWorlds, VARIATIONS } from './cli/kept.ts'
import { variations } from './cli/shrink.ts'
import { simulate } from './world/world.ts'

const names = BUGS.map(({ name }) => name)

describe('what was found stays mended', () => {
  for (const plan of keptPlans()) {
    it(plan.name, { timeout: 180_000 }, async () => {
      expect(names).toEqual(expect.arrayContaining([...plan.bugs]))
      for (const variation of variations(plan, VARIATIONS)) {
        const replay = `npm run sim -- --replay ${variation.seed} --plan ${plan.name}`
        expect((await simulate(variation)).violations, replay).toEqual([])
      }
    })
  }

  it('remembers worlds of planted bugs that there are', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(keptWorlds())))
  })
})
