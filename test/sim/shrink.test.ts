/** What a red seed is made of is kept whole, and what is dropped of it can still be asked for. */

import { describe, expect, it } from 'vitest'
import { type SmallPlan, smallerThan, variations, wholePlan } from './cli/shrink.ts'
import type { Fanout } from './world/operations.ts'
import { simulate } from './world/world.ts'

const fanout = (quorum?: number): Fanout => ({
  op: 'fanout',
  at: 0,
  name: 'f0',
  tenant: 'red',
  tasks: ['a', 'b'].map((id) => ({ id, steps: [{ calls: [], ms: 200 }], length: 20 })),
  join: quorum
    ? {
        policy: { quorum },
        deadline_seconds: null,
        on_child_failure: 'continue',
        cancel_rest: true,
      }
    : undefined,
  closing: { id: 'then', steps: [], length: 20 },
  webhook: { url: 'https://steady.example/hook' },
})
const smaller = (operation: Fanout): Fanout[] => {
  const plan: SmallPlan = { seed: 1, breaks: '', mix: {}, operations: [operation] }
  return [...smallerThan(plan)].flatMap(({ operations }) => operations as Fanout[])
}

describe('a seed as a plan', () => {
  it('produces the same world, with its endpoint', async () => {
    const seeds = [1, 2, 3, 4, 5, 6].map((seed) => ({ seed, plan: wholePlan(seed) }))
    expect(new Set(seeds.map(({ plan }) => plan.listens))).toEqual(new Set([true, undefined]))
    for (const { seed, plan } of seeds) {
      const [same] = variations(plan, 1)
      const { fingerprint } = await simulate({ seed })
      expect((await simulate(same!)).fingerprint, `seed ${seed}`).toBe(fingerprint)
    }
  })

  it('of a hand-written plan has the host and the processes that it names', async () => {
    const plan = { seed: 1, mix: {}, operations: [], young: true } as const
    const header = async (how: Partial<SmallPlan>): Promise<string> => {
      const [only] = variations({ ...plan, ...how }, 1)
      return (await simulate({ ...only!, record: true })).header[0]!
    }
    for (const profile of ['node', 'sqs', 'cloudflare'] as const) {
      expect(await header({ profile })).toContain(profile)
    }
    for (const processes of [2, 4]) {
      expect(await header({ profile: 'sqs', processes })).toContain(`${processes} processes`)
    }
  })

  it('loses its endpoint first', () => {
    const [first] = smallerThan({ ...wholePlan(1), breaks: '', listens: true })
    expect(first).toEqual({ ...wholePlan(1), breaks: '', listens: undefined })
  })
})

describe('a shrinking fan-out', () => {
  it('loses tasks, follow-ups, its webhook, and steps', () => {
    const some = smaller(fanout())
    expect(some.map(({ tasks }) => tasks.map(({ id }) => id).join(''))).toContain('a')
    expect(some.some(({ closing }) => closing === undefined)).toBe(true)
    expect(some.some(({ webhook }) => webhook === undefined)).toBe(true)
    expect(some.some(({ tasks }) => tasks.some(({ steps }) => steps.length === 0))).toBe(true)
  })

  it('keeps as many tasks as its caller waits for', () => {
    expect(smaller(fanout(2)).every(({ tasks }) => tasks.length === 2)).toBe(true)
  })
})
