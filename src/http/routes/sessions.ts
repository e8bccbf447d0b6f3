/** Sessions: created, listed, read and deleted. Runs join one by `session_id`. */

import * as z from 'zod'
import { addUsage, NO_USAGE } from '../../core/message.ts'
import type { SessionState } from '../../core/session/session.ts'
import { runPartition, sessionsList } from '../../engine/partition/keys.ts'
import { runViews } from '../../engine/run/query.ts'
import { listSessions } from '../../engine/session/list.ts'
import {
  createSession,
  deleteSession,
  runsOf,
  sessionMessages,
} from '../../engine/session/query.ts'
import { findSession, type StoredSession } from '../../engine/session/store.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { listedRun } from '../attachments.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../idempotency.ts'
import { searched } from '../page.ts'
import type { WithId } from '../path-id.ts'
import { granted, refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list, pageQuery, waitQuery } from '../schemas/common.ts'
import { kinds, Run, TranscriptMessage } from '../schemas/runs.ts'
import { Session, SessionInput, SessionKind } from '../schemas/sessions.ts'
import { PATH_ID } from '../schemas/words.ts'
import { until } from '../stream/wait.ts'
import { shape } from './transcript.ts'

const SessionsQuery = z.strictObject({
  ...pageQuery,
  kind: SessionKind.optional().describe(`Sessions of this kind; default: all. ${kinds}`),
})
type SessionsQuery = z.output<typeof SessionsQuery>

export function sessionRoutes(api: Api): void {
  makeAndList(api)
  readAndDelete(api)
  contents(api)
}

function makeAndList(api: Api): void {
  route(
    api,
    {
      id: 'createSession',
      method: 'post',
      path: '/v1/sessions',
      tag: 'Sessions',
      summary: 'Create a session',
      description:
        'A run without `session_id` has one of its own, which later runs may go on with.',
      scope: 'sessions:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: SessionInput,
      answers: { 201: { description: 'Created', schema: Session, headers: ['Location'] } },
    },
    async ({ c, world, tenant, body }) => {
      const { agent = null, metadata = {} } = body
      const created = granted(await createSession(world, tenant, { agent, metadata }, keyedOf(c)))
      const { state, replayed } = created
      const location = `/v1/sessions/${state.id}`
      return c.json(shown(state), 201, { location, ...replayHeader(replayed) })
    },
  )
  route(
    api,
    {
      id: 'listSessions',
      method: 'get',
      path: '/v1/sessions',
      tag: 'Sessions',
      summary: 'List sessions, newest first',
      scope: 'sessions:read',
      description:
        'Every conversation: those that were created, and own sessions of runs, whether or not ' +
        'anybody went on with them. Own sessions of subagents stand here once somebody did. ' +
        'A page may hold less than `limit` while `has_more` is true.',
      query: SessionsQuery,
      answers: { 200: { description: 'Found', schema: list(Session) } },
    },
    async ({ c, world, tenant, query }) => {
      return c.json(await sessionPage(world, tenant, query))
    },
  )
}

const sessionPage = (world: World, tenant: string, query: SessionsQuery) =>
  searched(world, `${sessionsList(tenant)}?${query.kind ?? ''}`, query, async (before) => {
    const { kind, limit } = query
    const { sessions, reached } = await listSessions(world, tenant, {
      before,
      limit: limit + 1,
      kind,
    })
    return { found: sessions.map(({ at, state }) => ({ at, item: shown(state) })), reached }
  })

function readAndDelete(api: Api): void {
  const params = { id: PATH_ID.session }
  route(
    api,
    {
      id: 'getSession',
      method: 'get',
      path: '/v1/sessions/{id}',
      params,
      tag: 'Sessions',
      summary: 'Look at a session',
      description: '`wait` holds the answer until no run is in it, so long at the most.',
      scope: 'sessions:read',
      query: z.strictObject(waitQuery),
      answers: { 200: { description: 'Found', schema: Session } },
    },
    async ({ c, world, tenant, query }) => {
      const found = await until(world, query.wait * 1_000, async (news) => {
        const found = await named(c, world, tenant)
        const { state } = found
        if (state.current) news.add(runPartition(tenant, state.current.run_id))
        const over = state.current === null && state.queue.length === 0
        return { found, over, seq: `${state.current?.run_id} ${state.queue.length}` }
      })
      const runs = await runViews(world, tenant, runsOf(found))
      const usage = runs.reduce((sum, one) => addUsage(sum, one.usage), NO_USAGE)
      return c.json({ ...shown(found.state), usage, cost: usage.list_price ?? null })
    },
  )
  route(
    api,
    {
      id: 'deleteSession',
      method: 'delete',
      path: '/v1/sessions/{id}',
      params,
      tag: 'Sessions',
      summary: 'Delete a session',
      description: 'Cancels what lives in it. Its runs can still be looked at.',
      scope: 'sessions:write',
      answers: { 204: { description: 'It is gone' } },
    },
    async (call) => {
      const { c } = call
      if (!(await deleteSession(call, c.req.param('id') ?? ''))) throw missing()
      return c.body(null, 204)
    },
  )
}

function contents(api: Api): void {
  const params = { id: PATH_ID.session }
  route(
    api,
    {
      id: 'listSessionMessages',
      method: 'get',
      path: '/v1/sessions/{id}/messages',
      params,
      tag: 'Sessions',
      summary: "A session's transcript",
      description: 'The conversation of the runs that have ended, oldest first.',
      scope: 'sessions:read',
      answers: { 200: { description: 'The messages', schema: list(TranscriptMessage) } },
    },
    async ({ c, world, tenant }) => {
      const found = await named(c, world, tenant)
      const { messages, home } = await sessionMessages(world, tenant, found)
      const data = await Promise.all(messages.map((one) => shape(world, home, one)))
      return c.json({ data, next_cursor: null, has_more: false })
    },
  )
  route(
    api,
    {
      id: 'listSessionRuns',
      method: 'get',
      path: '/v1/sessions/{id}/runs',
      params,
      tag: 'Sessions',
      summary: "A session's runs",
      description: 'In the order of their tickets, those that wait included.',
      scope: 'sessions:read',
      answers: { 200: { description: 'The runs', schema: list(Run) } },
    },
    async ({ c, world, tenant }) => {
      const ids = runsOf(await named(c, world, tenant))
      const data = (await runViews(world, tenant, ids)).map(listedRun)
      return c.json({ data, next_cursor: null, has_more: false })
    },
  )
}

const missing = () => refuse('not_found', 'There is no such session.')

async function named({ req }: WithId, world: World, tenant: string): Promise<StoredSession> {
  const found = await findSession(world, tenant, req.param('id') ?? '')
  if (!found) throw missing()
  return found
}

const shown = (state: SessionState) => ({
  id: state.id,
  object: 'session' as const,
  kind: state.kind,
  agent: state.agent,
  current_run_id: state.current?.run_id ?? null,
  waiting: state.queue.length,
  parent_session_id: state.own?.parent_session_id ?? null,
  created_by_run_id: state.own?.created_by_run_id ?? null,
  created_at: iso(state.created_at),
  metadata: state.metadata,
})
