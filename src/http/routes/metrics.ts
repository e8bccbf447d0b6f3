/** Serves `GET /metrics`, which reports metrics of this process to the operator. */

import { DEFAULT_TENANT } from '../../engine/partition/keys.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { text } from '../schemas/shared/words.ts'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function metricsRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getMetrics',
      method: 'get',
      path: '/metrics',
      tag: 'System',
      summary: 'Get process metrics',
      description:
        'Returns metrics in the Prometheus text format, on Node servers only. The metrics ' +
        'cover all tenants, so the request requires a key that belongs to the default tenant, ' +
        'or `METRICS_OPEN=true`.',
      scope: 'metrics:read',
      refusals: [404],
      answers: {
        200: {
          description: 'Counters, gauges, and histograms',
          schema: text('The metrics'),
          type: 'text/plain',
        },
      },
    },
    async ({ c, world, tenant }) => {
      if (!world.metrics) throw refuse('not_found', ELSEWHERE)
      if (tenant !== DEFAULT_TENANT)
        throw refuse(
          'insufficient_scope',
          'Metrics require a key that belongs to the default tenant.',
        )
      return c.body(await world.metrics.text(), 200, { 'content-type': TYPE })
    },
  )
}

const ELSEWHERE =
  'Only Node servers serve metrics at this URL. On AWS, metrics are in CloudWatch ' +
  '(namespace Strata); on Cloudflare, in the Workers Analytics Engine dataset that is ' +
  'bound as METRICS.'
