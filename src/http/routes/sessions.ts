/** Sessions: created, listed, read and deleted. Runs join one by `session_id`. */

import * as z from 'zod'
import type { SessionState } from '../../core/session.ts'
import type { Head } from '../../engine/log.ts'
import { runPartition, sessionsList } from '../../engine/names.ts'
import {
  createSession,
  deleteSession,
  runsOf,
  sessionMessages,
} from '../../engine/session/query.ts'
import { findSession, type SessionHead, type StoredSession } from '../../engine/session/store.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../idempotency.ts'
import { page } from '../page.ts'
import { Refused, refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import { Run, TranscriptMessage } from '../schemas/runs.ts'
import { Session, SessionInput, SessionKind } from '../schemas/sessions.ts'
import { shape } from './transcript.ts'

const SESSION_ID = /^ses_[0-9a-z]{26}$/

export function sessionRoutes(api: Api): void {
  makeAndList(api)
  readAndDelete(api)
  contents(api)
}

function makeAndList(api: Api): void {
  route(
    api,
    {
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
      const created = await createSession(world, tenant, { agent, metadata }, keyedOf(c))
      if (!created.ok) throw new Refused(created.error)
      const { state, replayed } = created.value
      const location = `/v1/sessions/${state.id}`
      return c.json(shown(state), 201, { location, ...replayHeader(replayed) })
    },
  )
  route(
    api,
    {
      method: 'get',
      path: '/v1/sessions',
      tag: 'Sessions',
      summary: 'List sessions, newest first',
      scope: 'sessions:read',
      description: 'Those that were created, and own sessions of runs that were gone on with.',
      query: z.strictObject({ ...pageQuery, kind: SessionKind.optional() }),
      answers: { 200: { description: 'Found', schema: list(Session) } },
    },
    async ({ c, world, tenant, query }) => {
      const { kind } = query
      const shape = (head: unknown) => shown((head as SessionHead).session)
      const filter = kind && { name: kind, keeps: (one: Shown) => one.kind === kind }
      return c.json(await page(world, sessionsList(tenant), query, shape, filter))
    },
  )
}

function readAndDelete(api: Api): void {
  const params = { id: 'A session id' }
  route(
    api,
    {
      method: 'get',
      path: '/v1/sessions/{id}',
      params,
      tag: 'Sessions',
      summary: 'Look at a session',
      scope: 'sessions:read',
      answers: { 200: { description: 'Found', schema: Session } },
    },
    async ({ c, world, tenant }) => c.json(shown((await named(c, world, tenant)).state)),
  )
  route(
    api,
    {
      method: 'delete',
      path: '/v1/sessions/{id}',
      params,
      tag: 'Sessions',
      summary: 'Delete a session',
      description: 'Cancels what lives in it. Its runs can still be looked at.',
      scope: 'sessions:write',
      answers: { 204: { description: 'It is gone' } },
    },
    async ({ c, world, tenant }) => {
      const { state } = await named(c, world, tenant)
      await deleteSession(world, tenant, state.id)
      return c.body(null, 204)
    },
  )
}

function contents(api: Api): void {
  const params = { id: 'A session id' }
  route(
    api,
    {
      method: 'get',
      path: '/v1/sessions/{id}/messages',
      params,
      tag: 'Sessions',
      summary: "A session's transcript",
      description: 'What was said by the runs that have ended, oldest first.',
      scope: 'sessions:read',
      answers: { 200: { description: 'The messages', schema: list(TranscriptMessage) } },
    },
    async ({ c, world, tenant }) => {
      const { state } = await named(c, world, tenant)
      const messages = await sessionMessages(world, tenant, state)
      const data = await Promise.all(messages.map((one) => shape(world, tenant, one)))
      return c.json({ data, next_cursor: null, has_more: false })
    },
  )
  route(
    api,
    {
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
      const heads = await world.store.heads(ids.map((id) => runPartition(tenant, id)))
      const data = heads.flatMap((row) => (row ? [(JSON.parse(row.body) as Head).view] : []))
      return c.json({ data, next_cursor: null, has_more: false })
    },
  )
}

async function named(
  c: { req: { param(name: 'id'): string | undefined } },
  world: World,
  tenant: string,
): Promise<StoredSession> {
  const id = c.req.param('id') ?? ''
  const found = SESSION_ID.test(id) ? await findSession(world, tenant, id) : undefined
  if (!found) throw refuse('not_found', 'There is no such session.')
  return found
}

type Shown = ReturnType<typeof shown>

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
