/** Example of a tenant's usage on the day of the scenario. */

import { USAGE } from '../shared/story.ts'

export const USAGE_REPORTS = [
  {
    object: 'usage',
    from: '2026-11-23',
    to: '2026-11-24',
    data: [
      {
        date: '2026-11-23',
        ...{ runs: 1, fanouts: 0, unpriced: 0 },
        ...{ usage: USAGE, cost: USAGE.list_price },
      },
    ],
    total: {
      ...{ runs: 1, fanouts: 0, unpriced: 0 },
      ...{ usage: USAGE, cost: USAGE.list_price },
    },
    next_to: null,
  },
]
