/**
 * Creates a session that continues from a message or run of another session. All earlier content is
 * copied, because either session may be deleted first (PROTOCOL.md rule 20a).
 */

import { LIMITS } from '../../core/limits.ts'
import type { Message } from '../../core/message.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { remembered } from '../../core/run/prompt/transcript.ts'
import type { SessionState } from '../../core/session/session.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { type Home, homeOfSession } from '../partition/home.ts'
import type { Asker } from '../tenant/audit.ts'
import { getBlob, putBlob } from '../tenant/blobs.ts'
import type { RequestKey } from '../tenant/idempotency.ts'
import { carry } from '../tenant/media.ts'
import { archivedCount } from './archive.ts'
import { homeOf, positionOf, segmentCount, segmentsOf } from './pages.ts'
import { createSession } from './query.ts'
import { findSession, type StoredSession } from './store.ts'
import { turnEnd } from './turn-end.ts'

export interface Fork {
  /** Position of the last message to copy; if absent, all messages are copied. */
  readonly position?: string | undefined
  /** Run whose last message is the last to copy, as an alternative to `position`. */
  readonly run_id?: string | undefined
  /** Last step of the run `run_id` to copy. */
  readonly step?: number | undefined
  readonly title?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** Forks the session; returns undefined if the session does not exist. */
export async function forkSession(
  { world, tenant, by }: Asker,
  id: string,
  { run_id, step, title, metadata = {}, ...fork }: Fork,
  requestKey: RequestKey | undefined,
): Promise<Outcome<{ state: SessionState; replayed: boolean }, Refusal> | undefined> {
  const session = await findSession(world, tenant, id)
  if (!session) return undefined
  const end =
    run_id === undefined
      ? ok(fork.position)
      : await turnEnd(world, tenant, session, { run_id, step })
  if (!end.ok) return end
  const position = end.value
  const { segment, place } = position === undefined ? lastOf(session) : positionOf(position)
  const count = segment + 1
  if (count > LIMITS.fork_segments) {
    const detail =
      `A fork can copy at most ${LIMITS.fork_segments} segments; this position requires ` +
      `${count}.`
    return fail(refusal('too_large', detail))
  }
  const messages = await segmentMessages(world, tenant, session, segment)
  if (position !== undefined && (segment >= segmentCount(session) || place >= messages.length)) {
    const errors = [{ pointer: '/position', message: 'no message at this position' }]
    return fail(
      refusal('invalid_request', 'The session has no message at this position.', { errors }),
    )
  }
  const { agent, opening, subject } = session.state
  const from = {
    session_id: id,
    position: position ?? `${segment}.${Math.max(0, messages.length - 1)}`,
  }
  const begin = async (fresh: string) => {
    const source = { ...session, said: messages.slice(0, place + 1), segment }
    const { segments, compacted } = await copied(world, tenant, source, fresh)
    return { segments, compacted, forked_from: from, opening, subject }
  }
  return createSession(world, tenant, { agent, metadata, title, fork: { by, begin } }, requestKey)
}

const lastOf = (session: StoredSession) => ({
  segment: Math.max(0, segmentCount(session) - 1),
  place: Number.MAX_SAFE_INTEGER,
})

async function segmentMessages(
  world: World,
  tenant: string,
  session: StoredSession,
  segment: number,
): Promise<readonly Message[]> {
  if (session.unstored) return remembered(session.unstored)
  const home = homeOf(tenant, session)
  const at = { from: segment, to: segment + 1 }
  const [digest] = await segmentsOf(world, home, session.state, at)
  return parsed(digest && (await getBlob(world, home, digest)))
}

const parsed = (text: string | undefined): Message[] => JSON.parse(text ?? '[]') as Message[]

interface ForkSource extends StoredSession {
  /** Messages kept from the last copied segment, and the number of that segment. */
  readonly said: readonly Message[]
  readonly segment: number
}

async function copied(
  world: World,
  tenant: string,
  source: ForkSource,
  fresh: string,
): Promise<Pick<SessionState, 'segments' | 'compacted'>> {
  const { state, said: messages, segment, unstored } = source
  const from = homeOf(tenant, source)
  const to = homeOfSession(tenant, fresh)
  const digests = unstored ? [] : await segmentsOf(world, from, state, { from: 0, to: segment })
  const segments: string[] = []
  for (const digest of digests) segments.push(await copy(world, from, to, digest))
  if (messages.length > 0) {
    await carry(world, from, to, messages)
    segments.push(await putBlob(world, to, JSON.stringify(messages)))
  }
  // A summary is copied only if all content that it covers is copied.
  const upto = archivedCount(state, 'segments') + (state.compacted?.upto ?? 0)
  if (unstored || !state.compacted || upto > segment) return { segments, compacted: undefined }
  const summary = await copy(world, from, to, state.compacted.segment)
  return { segments, compacted: { segment: summary, upto } }
}

async function copy(world: World, from: Home, to: Home, digest: string): Promise<string> {
  const text = await getBlob(world, from, digest)
  await carry(world, from, to, parsed(text))
  return putBlob(world, to, text ?? '[]')
}
