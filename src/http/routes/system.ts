/** Serves this deployment's identity and limits. */

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
      summary: 'List built-in tools',
      description: 'To find MCP server tools, resolve layers.',
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
      summary: 'Get the limits of this deployment',
      description: 'Returns all limits that reject a request, truncate data, or end a run.',
      scope: 'layers:read',
      answers: {
        200: {
          description: "This deployment's limits by name, each with its reason",
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
      summary: 'Check that the process responds',
      description: 'Does not check storage. Requires no API key.',
      scope: null,
      answers: { 200: { description: 'The process is responding', schema: Health } },
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
      summary: 'Check that requests can be served',
      description:
        'Reads the store and the bucket, at most once a second in each process. A 503 ' +
        'response lists the components that did not respond within three seconds. Requires no ' +
        'API key. `clock` indicates whether lost runs are recovered. Load balancers should ' +
        'omit `clock_within`, because other processes are affected equally when the clock ' +
        'stops.',
      scope: null,
      query: z.strictObject({ clock_within: clockWithin }),
      answers: { 200: { description: 'The process can serve requests', schema: Readiness } },
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

/** Returns the rate limits configured for the deployment. */
function ratesShown({ rateLimits = DEFAULT_RATES }: Settings) {
  const owners = ['key', 'tenant'] as const
  const entries = owners.flatMap((owner) =>
    RATE_NAMES.map((rate) => {
      const name = `${owner}_${rate}` as const
      return [name, { ...LIMIT_TABLE[name], value: rateLimits[owner][rate] }] as const
    }),
  )
  return Object.fromEntries(entries)
}

const isWithin = (clock: ClockState, seconds: number): boolean =>
  (clock.ticked_seconds_ago ?? Number.POSITIVE_INFINITY) <= seconds &&
  (clock.oldest_due_seconds ?? 0) <= seconds

function silence({ ticked_seconds_ago: ago, oldest_due_seconds: late }: ClockState): string {
  if (ago === null) return 'The clock has never ticked.'
  const words = late === null ? '' : `, and its oldest due entry is ${late} s late`
  return `The clock last ticked ${ago} s ago${words}.`
}
