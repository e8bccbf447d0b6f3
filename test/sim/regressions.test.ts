/** Plans of bugs that the simulator found: each stays lawful, under one seed or all its variations. */

import { describe, expect, it } from 'vitest'
import { fullOr } from '../support/full.ts'
import { BUGS } from './bugs/index.ts'
import { keptPlans, keptWorlds, VARIATIONS } from './cli/kept.ts'
import { variations } from './cli/shrink.ts'
import { simulate } from './world/world.ts'

const names = BUGS.map(({ name }) => name)
const REPLAYS = fullOr(VARIATIONS, 1)

describe('a kept plan', () => {
  for (const plan of keptPlans()) {
    it(`breaks no law: ${plan.name}`, async () => {
      expect(names).toEqual(expect.arrayContaining([...plan.bugs]))
      for (const variation of variations(plan, REPLAYS)) {
        const replay = `npm run sim -- --replay ${variation.seed} --plan ${plan.name}`
        expect((await simulate(variation)).violations, replay).toEqual([])
      }
    })
  }
})

it('each kept world reveals an existing planted bug', () => {
  expect(names).toEqual(expect.arrayContaining(Object.keys(keptWorlds())))
})
