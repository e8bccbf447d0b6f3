/** Serves a tenant's usage and costs. */

import { requestKeyOf } from '../../engine/tenant/quota-owner.ts'
import {
  added,
  listGroups,
  mergedGroups,
  NO_SUM,
  type UsageGroups,
  usageOfDays,
} from '../../engine/tenant/usage.ts'
import { quotasOf } from '../../engine/tenants/quota-view.ts'
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
        'Each stored run or fan-out counts once, with its subagents, on the day it was created; ' +
        'active ones count with their usage so far. With `group_by`, each day also lists its usage ' +
        'by agent, model, or kind of the run or fan-out.',
      scope: 'runs:read',
      query: UsageQuery,
      answers: { 200: { description: 'Usage by day', schema: UsageReport } },
    },
    async ({ c, world, tenant, query }) => {
      const range = daysOf(query, world.clock.now())
      if (typeof range === 'string') throw refuse('invalid_query', range)
      const { group_by } = query
      const { days, nextTo } = await usageOfDays(world, tenant, range, group_by)
      const grouped = (groups: UsageGroups) => (group_by === undefined ? {} : listGroups(groups))
      const data = days.map(({ groups, ...day }) => ({ ...day, ...grouped(groups) }))
      const sum = days.reduce(
        (total, { date: _, partial: __, groups: ___, ...counts }) => added(total, counts),
        NO_SUM,
      )
      const total = { ...sum, ...grouped(mergedGroups(days)) }
      const grouping = group_by === undefined ? {} : { group_by }
      const quotas = await quotasOf(world, tenant, await requestKeyOf(world))
      return c.json({
        object: 'usage',
        ...range,
        ...grouping,
        data,
        quotas,
        total,
        next_to: nextTo,
      })
    },
  )
}
