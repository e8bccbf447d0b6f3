/** Example of a tenant's usage on the day of the scenario. */

import { AGENT, USAGE } from '../shared/story.ts'

const sum = { runs: 1, fanouts: 0, unpriced: 0, usage: USAGE, cost: USAGE.list_price } as const

export const USAGE_REPORTS = [
  {
    object: 'usage',
    from: '2026-11-23',
    to: '2026-11-24',
    data: [
      {
        date: '2026-11-23',
        ...sum,
      },
    ],
    total: sum,
    next_to: null,
  },
  {
    object: 'usage',
    from: '2026-11-23',
    to: '2026-11-24',
    group_by: 'agent',
    data: [{ date: '2026-11-23', ...sum, groups: [{ group: AGENT, ...sum }] }],
    total: { ...sum, groups: [{ group: AGENT, ...sum }] },
    next_to: null,
  },
]
