/**
 * Serves reads of runs: lists filtered by property, a single run, its configuration, and all its
 * descendants.
 */

import * as z from 'zod'
import type { RunView } from '../../core/run/views/view.ts'
import { runPartition, runsList } from '../../engine/partition/keys.ts'
import { headOf } from '../../engine/partition/stored.ts'
import { childrenOf, runTree } from '../../engine/run/query.ts'
import { tenantStatus } from '../../engine/tenant/state.ts'
import type { World } from '../../ports/world.ts'
import { page } from '../request/page.ts'
import { pathId, type WithId } from '../request/path-id.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { RunConfig } from '../schemas/layers/run-config.ts'
import { RunsQuery, searchOf } from '../schemas/runs/run-list.ts'
import { Run, RunTree } from '../schemas/runs/runs.ts'
import { list, pageQuery, waitQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { untilTerminal } from '../stream/wait.ts'
import { haltedView, listedRun, readShown, shownTree } from '../views/attachments.ts'
import { runConfig } from '../views/run-config.ts'
import { searchRuns } from '../views/search.ts'
import { pageOfOne, runOfToken } from '../views/token-lists.ts'

const answers = (schema: z.ZodType) => ({ 200: { description: 'The requested data', schema } })
const id = { id: PATH_ID.run }
/** Returns a function that shows a listed run in the tenant's current state. */
const viewsOf = async (world: World, tenant: string) => {
  const status = await tenantStatus(world, tenant)
  return (body: string) => listedRun(haltedView(headOf<RunView>(body).view, status))
}

/** Returns the partition of the run in the path; an invalid ID results in "not found". */
export const pathPartition = (c: WithId, tenant: string): string =>
  runPartition(
    tenant,
    pathId(c, 'run', () => refuse('not_found', 'Run not found.')),
  )

export function runReadRoutes(api: Api): void {
  lists(api)
  itemRoutes(api)
}

function lists(api: Api): void {
  route(
    api,
    {
      id: 'listRuns',
      method: 'get',
      path: '/v1/runs',
      tag: 'Runs',
      summary: 'List runs, newest first',
      description:
        'Returns runs that were created by requests; subagents are listed under their parent ' +
        'runs. All filters must match; `metadata.<key>=<value>` filters by one metadata pair. ' +
        'A request with filters reads at most 200,000 runs, so a page can have fewer than ' +
        '`limit` runs while `has_more` is true. The index cannot decide `q`, `model`, ' +
        '`waiting_on`, or a list of statuses with only some of queued, running, and waiting: ' +
        'with these, a request reads at most 2,000 runs that match the other filters. Use the ' +
        'cursor to continue.',
      scope: 'runs:read',
      query: RunsQuery,
      answers: answers(list(Run)),
    },
    async ({ c, world, tenant, query }) => {
      const under = runsList(tenant)
      const { token } = c.get('principal')
      const isOfSession = token?.kind === 'session'
      const search = searchOf(isOfSession ? withinSession(query, token.subject) : query)
      if (token?.kind === 'run') return c.json(await runOfToken(world, tenant, token, search))
      if (isOfSession && (query.session_id ?? token.subject) !== token.subject) {
        return c.json(pageOfOne(undefined))
      }
      return c.json(
        search === undefined
          ? await page(world, under, query, await viewsOf(world, tenant))
          : await searchRuns(world, under, query, search),
      )
    },
  )
  route(
    api,
    {
      id: 'listRunChildren',
      method: 'get',
      path: '/v1/runs/{id}/children',
      params: id,
      tag: 'Runs',
      summary: "List a run's subagents",
      description:
        'Returns direct subagents, newest first; deeper subagents are listed under their own ' +
        'parents.',
      scope: 'runs:read',
      query: z.strictObject(pageQuery),
      answers: answers(list(Run)),
    },
    async ({ c, world, tenant, query }) => {
      const parent = await untilTerminal(world, pathPartition(c, tenant), 0)
      const viewOf = await viewsOf(world, tenant)
      return c.json(await page(world, childrenOf(tenant, parent), query, viewOf))
    },
  )
}

const withinSession = (query: RunsQuery, session_id: string): RunsQuery =>
  Object.assign({}, query, { session_id })

function itemRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getRun',
      method: 'get',
      path: '/v1/runs/{id}',
      params: id,
      tag: 'Runs',
      summary: 'Get a run',
      description: '`wait` delays the response until the run has ended, up to the given time.',
      scope: 'runs:read',
      query: z.strictObject(waitQuery),
      answers: answers(Run),
    },
    async ({ c, world, tenant, query }) => {
      const run = await untilTerminal(world, pathPartition(c, tenant), query.wait * 1_000)
      return c.json(await readShown(world, tenant, run))
    },
  )
  route(
    api,
    {
      id: 'getRunConfig',
      method: 'get',
      path: '/v1/runs/{id}/config',
      params: id,
      tag: 'Runs',
      summary: "Get a run's configuration",
      description:
        'Returns the configuration, which is fixed when the run starts. Includes prompt, ' +
        'tools, servers, skills, agents, and layers with their digests, and missing entries ' +
        'with the reason. Returns 409 for a run that has not started.',
      scope: 'runs:read',
      refusals: [409],
      answers: answers(RunConfig),
    },
    async ({ c, world, tenant }) => {
      const run = await untilTerminal(world, pathPartition(c, tenant), 0)
      const config = await runConfig(world, tenant, run.state)
      if (config) return c.json(config)
      const over = run.state.ended_at !== null
      const reason = over ? 'ended before it started' : 'has not started yet'
      throw refuse('conflict', `The run ${reason}; its configuration was not resolved.`)
    },
  )
  route(
    api,
    {
      id: 'getRunTree',
      method: 'get',
      path: '/v1/runs/{id}/tree',
      params: id,
      tag: 'Runs',
      summary: 'Get a run with all descendants',
      description:
        'Returns the current state of the run and its descendants, each in the same form as ' +
        '`GET /v1/runs/{id}`.',
      scope: 'runs:read',
      answers: answers(RunTree),
    },
    async ({ c, world, tenant }) => {
      const root = await untilTerminal(world, pathPartition(c, tenant), 0)
      return c.json(await shownTree(world, tenant, await runTree(world, tenant, root)))
    },
  )
}
