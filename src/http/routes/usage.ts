/** Costs of a tenant, and its limits. */

import { added, NO_SUM, usageOfDays } from '../../engine/tenant/usage.ts'
import { quotasOf } from '../../engine/tenants/quotas.ts'
import { refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list } from '../schemas/common.ts'
import { Quota } from '../schemas/tenant-limits.ts'
import { daysOf, UsageQuery, UsageReport } from '../schemas/usage.ts'

export function usageRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getUsage',
      method: 'get',
      path: '/v1/usage',
      tag: 'System',
      summary: 'Tokens and dollars by day, agent and model',
      description:
        'Of the runs and fan-outs that are kept, each counted once, with its subagents, on the ' +
        'day on which it was created; those that live count as far as they have come. ' +
        '`by` adds groups of the same days: what each agent used, or each model, subagents ' +
        'and tasks of fan-outs under their own names. Groups together are the total.',
      scope: 'runs:read',
      query: UsageQuery,
      answers: { 200: { description: 'The days', schema: UsageReport } },
    },
    async ({ c, world, tenant, query }) => {
      const asked = daysOf(query, world.clock.now())
      if (typeof asked === 'string') throw refuse('invalid_query', asked)
      const { by } = query
      const { days, nextTo, groups } = await usageOfDays(world, tenant, { ...asked, by })
      const total = days.reduce((sum, { date: _, partial: __, ...one }) => added(sum, one), NO_SUM)
      return c.json({ object: 'usage', ...asked, by, data: days, groups, total, next_to: nextTo })
    },
  )
  route(
    api,
    {
      id: 'listQuotas',
      method: 'get',
      path: '/v1/quotas',
      tag: 'System',
      summary: 'Limits of this tenant and what is used of them',
      description:
        'Those that its operator has set (`limits` of the tenant); beside them the limits of ' +
        'the deployment count (`GET /v1/limits`). What would exceed one is refused with 429 ' +
        "`quota_exceeded`; a run whose next call of a model would exceed the tenant's tokens or " +
        'dollars fails with that code.',
      scope: 'runs:read',
      answers: { 200: { description: 'Those that are set', schema: list(Quota) } },
    },
    async ({ c, world, tenant }) => {
      const data = await quotasOf(world, tenant)
      return c.json({ data: [...data], next_cursor: null, has_more: false })
    },
  )
}
