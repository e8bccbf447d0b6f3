/**
 * Lists a tenant's sessions by creation or latest activity, newest first. Merges the stored
 * sessions with the implicit sessions that only their runs define; a session in both lists appears
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
  /** Position from which the next pass continues; absent at the end of the lists. */
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
  /** Sort key: the time, and the ID part that a run and its implicit session share. */
  readonly at: string
  readonly state: SessionState
  /** Whether the session was derived from a run; such a session may also be stored, or deleted. */
  readonly derived: boolean
}

const LIVE: readonly string[] = ['queued', 'running', 'waiting']

/**
 * Reads one page from both lists in a single pass. Returns fewer entries than a page if necessary,
 * and the position where it stopped.
 */
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
  // Entries of the other list are unknown beyond the end of the list part that ends first.
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

/** Returns the time and the ID without its prefix, which is the sort position in both lists. */
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

/** Reads the state of each listed session, because activity rows contain only the position. */
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
  const { subject } = view
  return { at: placeOf(at), state: { ...state, subject, opening, current }, derived: true }
}

/**
 * Removes implicit entries of stored or deleted sessions. In the activity list, a stored session is
 * ordered by its last write, not by the start of its run.
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
