/** Example of a tenant's usage on the day of the scenario. */

import { AGENT, USAGE } from '../shared/story.ts'

const sum = { runs: 1, fanouts: 0, unpriced: 0, usage: USAGE, cost: USAGE.list_price } as const

const QUOTA = {
  owner: 'tenant',
  quota: 'dollars_per_day',
  limit: 50,
  used: 1.25,
  reserved: 0,
  resets_at: '2026-11-24T00:00:00.000Z',
}

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
    quotas: [QUOTA],
    total: sum,
    next_to: null,
  },
  {
    object: 'usage',
    from: '2026-11-23',
    to: '2026-11-24',
    group_by: 'agent',
    data: [{ date: '2026-11-23', ...sum, groups: [{ group: AGENT, ...sum }] }],
    quotas: [QUOTA],
    total: { ...sum, groups: [{ group: AGENT, ...sum }] },
    next_to: null,
  },
]
