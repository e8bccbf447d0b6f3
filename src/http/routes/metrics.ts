/** `GET /metrics`: numbers of this process, for the operator. */

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
      summary: 'Numbers of this process',
      description:
        'In the text format of Prometheus; a Node server alone has them. They are about all ' +
        'tenants together, so a key of the default tenant is needed, or `METRICS_OPEN=true`.',
      scope: 'metrics:read',
      refusals: [404],
      answers: {
        200: {
          description: 'Counters, gauges and histograms',
          schema: text('The numbers'),
          type: 'text/plain',
        },
      },
    },
    async ({ c, world, tenant }) => {
      if (!world.metrics) throw refuse('not_found', ELSEWHERE)
      if (tenant !== DEFAULT_TENANT)
        throw refuse('insufficient_scope', 'Metrics require a key of the default tenant.')
      return c.body(await world.metrics.text(), 200, { 'content-type': TYPE })
    },
  )
}

const ELSEWHERE =
  'A Node server alone has metrics here. On AWS they are in CloudWatch (namespace Strata), on ' +
  'Cloudflare in the dataset of Workers Analytics Engine that is bound as METRICS.'
