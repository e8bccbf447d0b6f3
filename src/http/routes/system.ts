/** The identity and the limits of this deployment. */

import * as z from 'zod'
import { LIMIT_TABLE } from '../../core/limits.ts'
import { DEFAULT_RATES, RATE_NAMES } from '../../core/rate-limits.ts'
import { toolReferences } from '../../core/tools/reference.ts'
import { type ClockState, readiness } from '../../engine/worker/readiness.ts'
import type { Settings } from '../../ports/world.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { list } from '../schemas/shared/common.ts'
import { clockWithin, Health, Limits, Readiness, Tool } from '../schemas/tenant/system.ts'

export function systemRoutes(api: Api): void {
  toolsAndLimits(api)
  probes(api)
}

function toolsAndLimits(api: Api): void {
  route(
    api,
    {
      id: 'listTools',
      method: 'get',
      path: '/v1/tools',
      tag: 'System',
      summary: 'Built-in tools',
      description: 'Tools of MCP servers are found by resolving layers.',
      scope: 'layers:read',
      answers: { 200: { description: 'The tools', schema: list(Tool) } },
    },
    ({ c, world }) => {
      const data = toolReferences(world.settings.lacks)
      return c.json({ data, next_cursor: null, has_more: false })
    },
  )
  route(
    api,
    {
      id: 'listLimits',
      method: 'get',
      path: '/v1/limits',
      tag: 'System',
      summary: 'Limits',
      description:
        'Every number that refuses, shortens or ends something, so that callers need not try.',
      scope: 'layers:read',
      answers: {
        200: {
          description: 'Every bound of this deployment by its name, with its reason',
          schema: Limits,
        },
      },
    },
    ({ c, world }) => {
      const { maxLiveChildren, maxDepth } = world.settings
      const { live_children, depth } = LIMIT_TABLE
      return c.json({
        ...LIMIT_TABLE,
        live_children: { ...live_children, value: maxLiveChildren },
        depth: { ...depth, value: maxDepth },
        ...ratesShown(world.settings),
      })
    },
  )
}

function probes(api: Api): void {
  route(
    api,
    {
      id: 'getHealth',
      method: 'get',
      path: '/healthz',
      tag: 'System',
      summary: 'Whether the process answers',
      description: 'Says that the process answers, and nothing of its storage. No key is needed.',
      scope: null,
      answers: { 200: { description: 'It does', schema: Health } },
    },
    ({ c }) => c.json({ status: 'ok' }),
  )
  route(
    api,
    {
      id: 'getReadiness',
      method: 'get',
      path: '/readyz',
      tag: 'System',
      summary: 'Whether requests can be served',
      description:
        'Reads the store and the bucket, at most once a second in each process; 503 names what ' +
        'did not answer within three seconds. No key is needed. `clock` says whether runs that ' +
        'were lost are found again; a load balancer does not ask for `clock_within`, because no ' +
        'process answers better when the clock stands still.',
      scope: null,
      query: z.strictObject({ clock_within: clockWithin }),
      answers: { 200: { description: 'They can', schema: Readiness } },
    },
    async ({ c, world, query }) => {
      const ready = await readiness(world)
      if (!ready.ok) throw refuse('unavailable', `No response from: ${ready.error.join(', ')}.`)
      const clock = ready.value
      const within = query.clock_within
      if (within !== undefined && !isWithin(clock, within))
        throw refuse('unavailable', silence(clock))
      return c.json({ status: 'ready', clock })
    },
  )
}

/** The limits of rates, as the deployment has set them. */
function ratesShown({ rateLimits = DEFAULT_RATES }: Settings) {
  const owners = ['key', 'tenant'] as const
  const shown = owners.flatMap((owner) =>
    RATE_NAMES.map((rate) => {
      const name = `${owner}_${rate}` as const
      return [name, { ...LIMIT_TABLE[name], value: rateLimits[owner][rate] }] as const
    }),
  )
  return Object.fromEntries(shown)
}

const isWithin = (clock: ClockState, seconds: number): boolean =>
  (clock.ticked_seconds_ago ?? Number.POSITIVE_INFINITY) <= seconds &&
  (clock.oldest_due_seconds ?? 0) <= seconds

function silence({ ticked_seconds_ago: ago, oldest_due_seconds: late }: ClockState): string {
  if (ago === null) return 'The clock has never ticked.'
  const words = late === null ? '' : `, and was ${late} s late`
  return `The clock ticked ${ago} s ago${words}.`
}
