/**
 * Serves sessions: create, list, read, change, fork, and delete. Runs join a session by
 * `session_id`.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { addUsage, NO_USAGE } from '../../core/message.ts'
import type { SessionState } from '../../core/session/session.ts'
import { runPartition, sessionsList } from '../../engine/partition/keys.ts'
import { runViews } from '../../engine/run/query.ts'
import { editSession, sessionEtag } from '../../engine/session/edit.ts'
import { forkSession } from '../../engine/session/fork.ts'
import { listSessions } from '../../engine/session/list.ts'
import { runCount, runsOf } from '../../engine/session/pages.ts'
import { createSession, deleteSession } from '../../engine/session/query.ts'
import { findSession } from '../../engine/session/store.ts'
import { hasAllWords } from '../../lib/find.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { conditions, revisionOf } from '../request/conditions.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { searched } from '../request/page.ts'
import { granted } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { subjectOf } from '../request/subject.ts'
import { kinds } from '../schemas/runs/runs.ts'
import {
  Session,
  SessionChange,
  SessionFork,
  SessionInput,
  SessionKind,
} from '../schemas/sessions/sessions.ts'
import { list, pageQuery, waitQuery } from '../schemas/shared/common.ts'
import { PATH_ID, searchText } from '../schemas/shared/words.ts'
import { until } from '../stream/wait.ts'
import { pageOfOne } from '../views/token-lists.ts'
import { missing, sessionContents, sessionOf } from './session-contents.ts'

const ARCHIVED = ['exclude', 'only', 'include'] as const

const SessionsQuery = z.strictObject({
  ...pageQuery,
  kind: SessionKind.optional().describe(`Session kind to return; all kinds by default. ${kinds}`),
  archived: z.enum(ARCHIVED).default('exclude').describe('Whether to include archived sessions'),
  order: z
    .enum(['created', 'active'])
    .default('created')
    .describe('Sort order: by creation, or by latest activity (`active_at`); newest first'),
  q: searchText('the title, the opening, the agent, the ID, or a metadata value'),
})
type SessionsQuery = z.output<typeof SessionsQuery>

export function sessionRoutes(api: Api): void {
  makeAndList(api)
  readAndDelete(api)
  changeAndFork(api)
  sessionContents(api)
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
      description: 'A run without `session_id` gets a new session, which later runs can continue.',
      scope: 'sessions:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: SessionInput,
      answers: { 201: { description: 'Created', schema: Session, headers: ['Location'] } },
    },
    async ({ c, world, tenant, body }) => {
      const { agent = null, metadata = {}, title, retention_seconds } = body
      const retention =
        retention_seconds === undefined ? {} : { retention_ms: retention_seconds * 1_000 }
      const subject = subjectOf(c.get('principal'), body.subject)
      const of = { agent, metadata, title, subject, ...retention }
      const { state, replayed } = granted(await createSession(world, tenant, of, keyedOf(c)))
      const location = `/v1/sessions/${state.id}`
      return c.json(sessionView(state), 201, { location, ...replayHeader(replayed) })
    },
  )
  route(
    api,
    {
      id: 'listSessions',
      method: 'get',
      path: '/v1/sessions',
      tag: 'Sessions',
      summary: 'List sessions, newest or most recently active first',
      scope: 'sessions:read',
      description:
        'Returns sessions created by request, and sessions that runs opened; those of subagents ' +
        'once another run has continued them. A page can have fewer than `limit` sessions while ' +
        '`has_more` is true. With `order=active`, a session that becomes active between two pages ' +
        'moves to the front, and later pages do not repeat it.',
      query: SessionsQuery,
      answers: { 200: { description: 'The requested data', schema: list(Session) } },
    },
    async ({ c, world, tenant, query }) => {
      const { token } = c.get('principal')
      if (token?.kind === 'session') {
        const state = (await findSession(world, tenant, token.subject))?.state
        const isWanted = query.kind === undefined || state?.kind === query.kind
        return c.json(
          pageOfOne(state && isWanted && fits(state, query) ? sessionView(state) : undefined),
        )
      }
      return c.json(await sessionPage(world, tenant, query))
    },
  )
}

function sessionPage(world: World, tenant: string, query: SessionsQuery) {
  const { kind, archived, order, q } = query
  const filter = new URLSearchParams({ kind: kind ?? '', archived, order, q: q ?? '' })
  return searched(world, `${sessionsList(tenant)}?${filter}`, query, async (beforeKey) => {
    const limit = query.limit + 1
    const { sessions, reached: endAt } = await listSessions(world, tenant, {
      order,
      before: beforeKey,
      limit,
      kind,
    })
    const fitting = sessions.filter(({ state }) => fits(state, query))
    return {
      found: fitting.map(({ at, state }) => ({ at, item: sessionView(state) })),
      reached: endAt,
    }
  })
}

function fits(state: SessionState, { archived, q }: SessionsQuery): boolean {
  const isArchived = state.archived_at !== undefined
  if (archived !== 'include' && isArchived !== (archived === 'only')) return false
  if (q === undefined) return true
  const { id, title, opening, agent, metadata } = state
  return hasAllWords([id, title, opening, agent, ...Object.values(metadata)], q)
}

/** Maximum number of runs counted in a session's usage, because each run requires reading a row. */
const USAGE_RUNS = 1_000

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
      summary: 'Get a session',
      description:
        '`wait` delays the response until no run is active in the session, up to the given ' +
        'time.',
      scope: 'sessions:read',
      query: z.strictObject(waitQuery),
      answers: { 200: { description: 'The requested data', schema: Session, headers: ['ETag'] } },
    },
    async ({ c, world, tenant, query }) => {
      const session = await until(world, query.wait * 1_000, async (news) => {
        const current = await sessionOf(c, world, tenant)
        const { state } = current
        if (state.current) news.add(runPartition(tenant, state.current.run_id))
        const over = state.current === null && state.queue.length === 0
        return { found: current, over, seq: `${state.current?.run_id} ${state.queue.length}` }
      })
      const runs = runCount(session)
      const newest = { from: Math.max(0, runs - USAGE_RUNS), to: runs }
      const views = await runViews(world, tenant, await runsOf(world, tenant, session, newest))
      const usage = views.reduce((sum, view) => addUsage(sum, view.usage), NO_USAGE)
      const totals = { usage, cost: usage.list_price ?? null, runs }
      return c.json({ ...sessionView(session.state), ...totals }, 200, etagOf(session.state))
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
      description: "Cancels the session's active runs. All runs in the session remain readable.",
      scope: 'sessions:write',
      answers: { 204: { description: 'Deleted' } },
    },
    async (call) => {
      const { c } = call
      if (!(await deleteSession(call, c.req.param('id') ?? ''))) throw missing()
      return c.body(null, 204)
    },
  )
}

function changeAndFork(api: Api): void {
  const params = { id: PATH_ID.session }
  route(
    api,
    {
      id: 'updateSession',
      method: 'patch',
      path: '/v1/sessions/{id}',
      params,
      tag: 'Sessions',
      summary: 'Update a session: title, archive, retention',
      description: 'With `If-Match`, returns 412 if the session has changed since you read it.',
      scope: 'sessions:write',
      headers: conditions,
      body: SessionChange,
      answers: {
        200: { description: 'The resource after the update', schema: Session, headers: ['ETag'] },
      },
    },
    async (call) => {
      const { c, body } = call
      const edited = await editSession(call, c.req.param('id') ?? '', body, revisionOf(c))
      if (!edited) throw missing()
      const state = granted(edited)
      return c.json(sessionView(state), 200, etagOf(state))
    },
  )
  route(
    api,
    {
      id: 'forkSession',
      method: 'post',
      path: '/v1/sessions/{id}/fork',
      params,
      tag: 'Sessions',
      summary: 'Fork a session',
      description:
        'The new session has a copy of the conversation up to a message (`position`), or to ' +
        'the end of a run (`run_id`) or step (`step`). The original session is unchanged. ' +
        `Copies at most ${LIMITS.fork_segments} segments of 64 KB; larger copies are rejected ` +
        'with 413.',
      scope: 'sessions:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: SessionFork,
      bodyOptional: true,
      refusals: [409, 413],
      answers: { 201: { description: 'Created', schema: Session, headers: ['Location'] } },
    },
    async (call) => {
      const { c, body } = call
      const forked = await forkSession(call, c.req.param('id') ?? '', body, keyedOf(c))
      if (!forked) throw missing()
      const { state, replayed } = granted(forked)
      const location = `/v1/sessions/${state.id}`
      return c.json(sessionView(state), 201, { location, ...replayHeader(replayed) })
    },
  )
}

const etagOf = (state: SessionState) => ({ etag: `"${sessionEtag(state)}"` })

const sessionView = (state: SessionState) => ({
  id: state.id,
  object: 'session' as const,
  kind: state.kind,
  agent: state.agent,
  title: state.title ?? null,
  opening: state.opening ?? null,
  archived: state.archived_at !== undefined,
  retention_seconds: state.retention_ms === undefined ? null : state.retention_ms / 1_000,
  forked_from: state.forked_from ?? null,
  subject: state.subject ?? null,
  current_run_id: state.current?.run_id ?? null,
  waiting: state.queue.length,
  parent_session_id: state.own?.parent_session_id ?? null,
  created_by_run_id: state.own?.created_by_run_id ?? null,
  created_at: iso(state.created_at),
  active_at: iso(state.active_at ?? state.created_at),
  metadata: state.metadata,
})
