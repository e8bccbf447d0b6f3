/** What the simulator once found here, as small plans that are replayed for ever. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { planOf, type SmallPlan } from './shrink.ts'
import { simulate } from './world.ts'

const FOLDER = new URL('./regressions/', import.meta.url)

const plans = existsSync(FOLDER) ? readdirSync(FOLDER) : []

describe('what was found stays mended', () => {
  it('is kept as plans', () => {
    expect(plans.every((name) => name.endsWith('.json'))).toBe(true)
  })

  for (const name of plans) {
    it(name.replace('.json', ''), async () => {
      const plan = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as SmallPlan
      expect((await simulate(planOf(plan))).violations).toEqual([])
    })
  }
})
