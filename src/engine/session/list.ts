/**
 * Lists a tenant's conversations by creation or latest activity, newest first: stored sessions, and
 * implicit sessions that only their runs define. Both lists are merged; a session in both appears
 * once.
 */

import { runOf, sessionOf } from '../../core/run/decide/child.ts'
import { wantedTags } from '../../core/run/views/tags.ts'
import type { RunView } from '../../core/run/views/view.ts'
import type { SessionState } from '../../core/session/session.ts'
import { newSession } from '../../core/session/session.ts'
import { parseTime } from '../../lib/time.ts'
import type { ListedRow, World } from '../../ports/world.ts'
import { activeSessionsList, runsList, sessionPartition, sessionsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { openingOf, sessionHeadOf } from './store.ts'

type SessionKind = SessionState['kind']

export interface SessionsPage {
  readonly sessions: readonly { readonly at: string; readonly state: SessionState }[]
  /** Position of the next pass; absent at the end. */
  readonly reached?: string | undefined
}

type SessionOrder = 'created' | 'active'

interface SessionsRequest {
  readonly order: SessionOrder
  readonly before?: string | undefined
  readonly limit: number
  readonly kind?: SessionKind | undefined
}

interface Candidate {
  /** Time, and the ID part that a run and its implicit session share. */
  readonly at: string
  readonly state: SessionState
  /** Whether the session is derived from a run; it may nevertheless be stored, or deleted. */
  readonly derived: boolean
}

const LIVE: readonly string[] = ['queued', 'running', 'waiting']

/** Reads both lists once. May find only part of a page, and returns where it stopped. */
export async function listSessions(
  world: World,
  tenant: string,
  { order, before: cursor, limit, kind }: SessionsRequest,
): Promise<SessionsPage> {
  const tags = wantedTags({ own_session: true, ...(kind ? { kind } : {}) })
  const below = cursor === undefined ? undefined : placesOf(cursor)
  const [stored, runs] = await Promise.all([
    world.store.list(LISTS[order](tenant), below?.session, limit),
    world.store.find(runsList(tenant), { ...tags, below: below?.run, order: 'newest', limit }),
  ])
  const storedSessions =
    order === 'active' ? await activeOnes(world, stored) : stored.map(storedOne)
  const derivedSessions = runs.rows.map(derivedOne)
  // Beyond the end of the shorter part, the other list is unknown.
  const ends = [
    ...(stored.length < limit ? [] : [placeOf(stored.at(-1)!.at)]),
    ...(runs.reached === undefined ? [] : [placeOf(runs.reached)]),
  ]
  const boundary = ends.sort().at(-1)
  const places = new Set(storedSessions.map(({ at }) => at))
  const all = [...storedSessions, ...derivedSessions.filter(({ at }) => !places.has(at))]
    .filter(({ at }) => boundary === undefined || at >= boundary)
    .sort((left, right) => (left.at > right.at ? -1 : 1))
  const sessions = await settled(world, tenant, order, all)
  return {
    sessions: sessions.filter(({ state }) => !kind || state.kind === kind),
    reached: boundary,
  }
}

const LISTS = { created: sessionsList, active: activeSessionsList } as const

/** Returns the time and the ID without its prefix: the position in either list. */
const placeOf = (at: string): string => at.replace(/ (?:run|ses)_/, ' ')
const placesOf = (place: string) => ({
  session: place.replace(' ', ' ses_'),
  run: place.replace(' ', ' run_'),
})

const storedOne = ({ at, body }: Pick<ListedRow, 'at' | 'body'>): Candidate => ({
  at: placeOf(at),
  state: sessionHeadOf(body).session,
  derived: false,
})

/** Reads the states; a row of this list contains only the position. */
async function activeOnes(world: World, stored: readonly ListedRow[]): Promise<Candidate[]> {
  const heads = await world.store.heads(stored.map(({ partition }) => partition))
  return stored.flatMap(({ at }, index) => {
    const row = heads[index]
    return row ? [storedOne({ at, body: row.body })] : []
  })
}

function derivedOne({ at, body }: ListedRow): Candidate {
  const { view } = headOf<RunView>(body)
  const state = newSession({
    id: sessionOf(view.id),
    kind: view.kind as SessionKind,
    agent: view.agent,
    metadata: {},
    created_at: parseTime(view.created_at)!,
    own: { run_id: view.id, parent_session_id: null, created_by_run_id: null },
  })
  const current = LIVE.includes(view.status) ? { ticket: 0, run_id: runOf(state.id) } : null
  const opening = openingOf({ input: [{ role: 'user', text: view.input }] })
  return { at: placeOf(at), state: { ...state, opening, current }, derived: true }
}

/**
 * Removes implicit entries of stored or deleted sessions. By activity, the last write determines
 * the position of a stored session, not the start of its run.
 */
async function settled(
  world: World,
  tenant: string,
  order: SessionOrder,
  all: readonly Candidate[],
) {
  const derived = all.filter((candidate) => candidate.derived)
  const heads = await world.store.heads(
    derived.map(({ state }) => sessionPartition(tenant, state.id)),
  )
  const stateByPlace = new Map(
    derived.flatMap(({ at }, index) => {
      const row = heads[index]
      return row ? [[at, sessionHeadOf(row.body).session] as const] : []
    }),
  )
  return all
    .filter(({ at, derived }) => !(order === 'active' && derived && stateByPlace.has(at)))
    .map(({ at, state }) => ({ at, state: stateByPlace.get(at) ?? state }))
    .filter(({ state }) => !state.deleted)
}
