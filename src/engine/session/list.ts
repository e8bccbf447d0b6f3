/**
 * Every conversation of a tenant, by its creation or by its latest activity, newest first: the
 * stored sessions, and the implicit sessions of runs, which exist although nothing has stored them.
 * Two lists are read side by side; a session that stands in both is shown once.
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
  /** Position of the next pass; absent: there are no more. */
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
  /** Time and the part of the id that a run and its own session share. */
  readonly at: string
  readonly state: SessionState
  /** Derived from a run: the session may be stored anyway, or deleted. */
  readonly derived: boolean
}

const LIVE: readonly string[] = ['queued', 'running', 'waiting']

/** Reads both lists once. It may find less than exists, and says where it stopped. */
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
  // Beyond the end of the shorter part the other list is unknown.
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

/** A time and the id without its kind, of a row of either list. */
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

/** A row of this list has the place alone, the session's head has the state. */
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
 * Entries of stored sessions that the list did not show, or of deleted ones. By activity a stored
 * session stands where it was last written to, not where its run began.
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
