/** What the simulator once found here, as small plans that are replayed for ever. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { planOf, type SmallPlan } from './shrink.ts'
import { simulate } from './world.ts'

const FOLDER = new URL('./regressions/', import.meta.url)

describe('what was found stays mended', () => {
  for (const name of readdirSync(FOLDER)) {
    it(name.replace('.json', ''), async () => {
      const plan = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as SmallPlan
      expect((await simulate(planOf(plan))).violations).toEqual([])
    })
  }
})
