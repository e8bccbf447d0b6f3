/** Reading runs: lists by their properties, one run, its configuration, all below it. */

import * as z from 'zod'
import type { RunView } from '../../core/run/views/view.ts'
import { runPartition, runsList } from '../../engine/partition/keys.ts'
import { headOf } from '../../engine/partition/stored.ts'
import { childrenOf, runTree } from '../../engine/run/query.ts'
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
import { listedRun, readShown, shownTree } from '../views/attachments.ts'
import { runConfig } from '../views/run-config.ts'
import { searchRuns } from '../views/search.ts'
import { pageOfOne, runOfToken } from '../views/token-lists.ts'

const answers = (schema: z.ZodType) => ({ 200: { description: 'Found', schema } })
const id = { id: PATH_ID.run }
const viewOf = (body: string) => listedRun(headOf<RunView>(body).view)

/** The partition of the run in the path; what cannot be an id does not exist. */
export const named = (c: WithId, tenant: string): string =>
  runPartition(
    tenant,
    pathId(c, 'run', () => refuse('not_found', 'Run not found.')),
  )

export function runLooks(api: Api): void {
  lists(api)
  one(api)
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
        'Runs that were created by a request; subagents stand under their parent. All filters ' +
        'must hold; `metadata.<key>=<value>` asks for one pair of the metadata. A request with ' +
        'filters reads 200,000 runs at the most, so a page may hold less than `limit` while ' +
        '`has_more` is true: its cursor goes on from there.',
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
          ? await page(world, under, query, viewOf)
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
        'Its direct subagents, newest first; those further below stand under their own ' +
        'parents.',
      scope: 'runs:read',
      query: z.strictObject(pageQuery),
      answers: answers(list(Run)),
    },
    async ({ c, world, tenant, query }) => {
      const parent = await untilTerminal(world, named(c, tenant), 0)
      return c.json(await page(world, childrenOf(tenant, parent), query, viewOf))
    },
  )
}

const withinSession = (query: RunsQuery, session_id: string): RunsQuery =>
  Object.assign({}, query, { session_id })

function one(api: Api): void {
  route(
    api,
    {
      id: 'getRun',
      method: 'get',
      path: '/v1/runs/{id}',
      params: id,
      tag: 'Runs',
      summary: 'Look at a run',
      description: '`wait` holds the answer until the run has ended, so long at the most.',
      scope: 'runs:read',
      query: z.strictObject(waitQuery),
      answers: answers(Run),
    },
    async ({ c, world, tenant, query }) => {
      const run = await untilTerminal(world, named(c, tenant), query.wait * 1_000)
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
      summary: 'The configuration of a run',
      description:
        'Fixed when it started: prompt, tools, servers, skills, agents, layers, their digests, ' +
        'and what it lacks and why. 409 for a run that has not started.',
      scope: 'runs:read',
      refusals: [409],
      answers: answers(RunConfig),
    },
    async ({ c, world, tenant }) => {
      const run = await untilTerminal(world, named(c, tenant), 0)
      const config = await runConfig(world, tenant, run.state)
      if (config) return c.json(config)
      const over = run.state.ended_at !== null
      const why = over ? 'ended before it started' : 'has not started yet'
      throw refuse('conflict', `The run ${why}; its configuration was not resolved.`)
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
      summary: 'A run with all below it',
      description:
        'The run, its subagents, theirs and so on, as they stand now, each as `GET ' +
        '/v1/runs/{id}` shows it.',
      scope: 'runs:read',
      answers: answers(RunTree),
    },
    async ({ c, world, tenant }) => {
      const root = await untilTerminal(world, named(c, tenant), 0)
      return c.json(await shownTree(world, tenant, await runTree(world, tenant, root)))
    },
  )
}
