/** Serves a tenant's usage and costs. */

import { added, NO_SUM, usageOfDays } from '../../engine/tenant/usage.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { daysOf, UsageQuery, UsageReport } from '../schemas/tenant/usage.ts'

export function usageRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getUsage',
      method: 'get',
      path: '/v1/usage',
      tag: 'System',
      summary: 'Get token usage and cost by day',
      description:
        'Covers runs and fan-outs that have not been deleted. Each run or fan-out is counted ' +
        'once, including its subagents, on the day it was created. Active runs are counted ' +
        'with their usage so far.',
      scope: 'runs:read',
      query: UsageQuery,
      answers: { 200: { description: 'Usage by day', schema: UsageReport } },
    },
    async ({ c, world, tenant, query }) => {
      const range = daysOf(query, world.clock.now())
      if (typeof range === 'string') throw refuse('invalid_query', range)
      const { days, nextTo } = await usageOfDays(world, tenant, range)
      const total = days.reduce(
        (sum, { date: _, partial: __, ...counts }) => added(sum, counts),
        NO_SUM,
      )
      return c.json({ object: 'usage', ...range, data: days, total, next_to: nextTo })
    },
  )
}
