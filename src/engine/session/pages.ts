/**
 * Reads a session's runs and messages in pages, forward or backward. Each message has a permanent
 * position, `segment.place`: segments are only appended, and only the newest segment grows.
 */

import type { Message } from '../../core/message.ts'
import { remembered } from '../../core/run/prompt/transcript.ts'
import type { SessionState } from '../../core/session/session.ts'
import type { World } from '../../ports/world.ts'
import { type Home, homeOfRun, homeOfSession } from '../partition/home.ts'
import { getBlob } from '../tenant/blobs.ts'
import { archivedCount, archivedSlice } from './archive.ts'
import type { StoredSession } from './store.ts'

export type Order = 'asc' | 'desc'

export interface PositionedMessage {
  readonly position: string
  readonly message: Message
}

interface PageRequest {
  readonly order: Order
  readonly limit: number
  /** Last item of the previous page; if absent, reading starts at the first page. */
  readonly last?: string | undefined
}

/** Number of transcript segments read per request; each is up to 64 KB, or one run's messages. */
const READ = 64

/** Returns the object prefix under which the session's message bodies are stored. */
export const homeOf = (tenant: string, { state, unstored }: StoredSession): Home =>
  unstored ? homeOfRun(tenant, unstored.spec) : homeOfSession(tenant, state.id)

/**
 * Returns messages that match `wanted`, starting after the last message of the previous page.
 * `reached` is the start of the next page, absent on the last page.
 */
export async function messagesPage(
  world: World,
  tenant: string,
  session: StoredSession,
  { order, limit, last }: PageRequest,
  accepts: (entry: PositionedMessage) => boolean | Promise<boolean> = () => true,
): Promise<{ readonly found: PositionedMessage[]; readonly reached?: string | undefined }> {
  const count = segmentCount(session)
  const step = order === 'asc' ? 1 : -1
  const from = last === undefined ? undefined : positionOf(last)
  let segment = from?.segment ?? (order === 'asc' ? 0 : count - 1)
  const out: PositionedMessage[] = []
  for (let read = 0; segment >= 0 && segment < count; read += 1, segment += step) {
    if (read === READ) return { found: out, reached: edgeOf(segment - step, order) }
    const all = await segmentAt(world, tenant, session, segment)
    const entries = all.map((message, place) => ({ position: `${segment}.${place}`, message }))
    const remaining = entries.filter(
      (_, place) => segment !== from?.segment || isBehind(place, from, order),
    )
    for (const entry of order === 'asc' ? remaining : remaining.reverse()) {
      if (!(await accepts(entry))) continue
      if (out.length === limit) return { found: out, reached: out.at(-1)!.position }
      out.push(entry)
    }
  }
  return { found: out }
}

export interface Position {
  readonly segment: number
  readonly place: number
}

export function positionOf(position: string): Position {
  const [segment = 0, place = 0] = position.split('.').map(Number)
  return { segment, place }
}

const isBehind = (place: number, last: Position, order: Order): boolean =>
  order === 'asc' ? place > last.place : place < last.place

/** Returns the position after the last message of a complete segment. */
const edgeOf = (segment: number, order: Order): string =>
  order === 'asc' ? `${segment}.${Number.MAX_SAFE_INTEGER}` : `${segment}.0`

export const segmentCount = ({ state, unstored }: StoredSession): number =>
  unstored ? 1 : archivedCount(state, 'segments') + state.segments.length

export async function segmentAt(
  world: World,
  tenant: string,
  session: StoredSession,
  at: number,
): Promise<readonly Message[]> {
  if (session.unstored) return remembered(session.unstored)
  const home = homeOf(tenant, session)
  const [digest] = await segmentsOf(world, home, session.state, { from: at, to: at + 1 })
  const text = digest === undefined ? undefined : await getBlob(world, home, digest)
  return JSON.parse(text ?? '[]') as Message[]
}

/** Returns the digests of the session's segments in the given range. */
export async function segmentsOf(
  world: World,
  home: Home,
  state: SessionState,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<string[]> {
  const archived = archivedCount(state, 'segments')
  const old =
    from < archived
      ? await archivedSlice({ world, home }, state.archive ?? [], 'segments', { from, to })
      : []
  const near = state.segments.slice(Math.max(0, from - archived), Math.max(0, to - archived))
  return [...old, ...near]
}

/** Returns the number of runs in the session, including active runs. */
export const runCount = (session: StoredSession): number =>
  ownRun(session).length + archivedCount(session.state, 'runs') + nearRuns(session).length

/**
 * Returns the session's run IDs in the given range: ended runs in the order in which they ended,
 * then the active run, then queued runs.
 */
export async function runsOf(
  world: World,
  tenant: string,
  session: StoredSession,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<string[]> {
  const { state } = session
  const ownRuns = ownRun(session)
  const archived = archivedCount(state, 'runs')
  const at = { world, home: homeOfSession(tenant, state.id) }
  const within = { from: Math.max(0, from - ownRuns.length), to: to - ownRuns.length }
  const isOld = within.from < archived && within.to > 0
  const old = isOld ? await archivedSlice(at, state.archive ?? [], 'runs', within) : []
  const near = nearRuns(session).slice(
    Math.max(0, within.from - archived),
    Math.max(0, within.to - archived),
  )
  return [...ownRuns.slice(from, to), ...old.map(({ run_id }) => run_id), ...near]
}

const ownRun = ({ state }: StoredSession): string[] => (state.own ? [state.own.run_id] : [])

/** Returns the run IDs in the session's head, without the run that defines an implicit session. */
function nearRuns(session: StoredSession): string[] {
  const { state } = session
  const entries = [...(state.ran ?? []), ...(state.current ? [state.current] : []), ...state.queue]
  const near = new Set(entries.map(({ run_id }) => run_id))
  for (const id of ownRun(session)) near.delete(id)
  return [...near]
}
