/**
 * Issues the ticket for a run. One session commit stores the run's ID and pinned input, or rejects
 * the run. The run is then created with that ID (PROTOCOL.md rule 25); after a crash in between,
 * the session's alarm creates it.
 */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import type { OnBusy, SessionState } from '../../core/session/session.ts'
import { historyOf, isSubjectAllowed, takeTicket, ticketOf } from '../../core/session/session.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World, Write } from '../../ports/world.ts'
import { createPrepared, type PreparedRun } from '../logs/prepared-run.ts'
import { readRun } from '../logs/run.ts'
import type { Created } from '../partition/create.ts'
import { parsePartition, runPartition } from '../partition/keys.ts'
import { retry } from '../partition/update.ts'
import { awaitEnd } from './await.ts'
import { interrupt } from './interrupt.ts'
import {
  findSession,
  openingOf,
  SESSION_ALARM_MS,
  type StoredSession,
  writeSession,
} from './store.ts'
import { otherSubject } from './subject.ts'

const ticketKey = (ticket: number): string => `t/${String(ticket).padStart(10, '0')}`

const TRIES = 200

export interface Joining {
  readonly onBusy: OnBusy
  /** Whether concurrent requests may use the same idempotency key. */
  readonly shared: boolean
}

/** Returns the reason why no ticket is available; called before a new key is reserved. */
export async function sessionRefused(
  world: World,
  tenant: string,
  sessionId: string,
  onBusy: OnBusy,
): Promise<Refusal | undefined> {
  const session = await findSession(world, tenant, sessionId)
  if (!session) return unknownSession()
  const ticketResult = takeTicket(session.state, '', onBusy)
  return ticketResult.kind === 'taken' ? undefined : noTicket(ticketResult.kind)
}

/** Issues a ticket and creates the run; the run gets the turn at once if the session is idle. */
export async function runInSession(
  world: World,
  tenant: string,
  draft: PreparedRun,
  sessionId: string,
  { onBusy, shared }: Joining,
): Promise<Outcome<Created, Refusal>> {
  const { id } = draft.spec
  const joined = await retry(world, TRIES, async (attempt) => {
    const session = await findSession(world, tenant, sessionId)
    if (!session) return fail(unknownSession())
    const existingTicket = ticketOf(session.state, id)
    if (existingTicket) return ok(await settle(world, session, session.state, draft))
    // A request with the same key may already have completed, and its run may have ended.
    const existingRun =
      attempt > 0 || shared ? await readRun(world, runPartition(tenant, id)) : undefined
    if (existingRun) return ok({ run: existingRun, fresh: false })
    const { agent, subject } = draft.spec
    if (!isSubjectAllowed(session.state, subject)) return fail(otherSubject())
    const ticketResult = takeTicket(session.state, id, onBusy)
    if (ticketResult.kind !== 'taken') return fail(noTicket(ticketResult.kind))
    const pinned = withTicket(ticketResult.state, draft)
    const alarm = { at: world.clock.now() + SESSION_ALARM_MS, lane: 'main', started: true } as const
    const row: Write = {
      op: 'put',
      key: ticketKey(ticketResult.ticket),
      body: JSON.stringify(pinned),
      expect: 'absent',
      alarm,
    }
    // The next turn uses this agent, unless its request names another one.
    const opening = ticketResult.state.opening ?? openingOf(draft.spec)
    const state = { ...ticketResult.state, agent, subject, opening }
    if (!(await writeSession(world, session, state, [row]))) return undefined
    return ok(await settle(world, session, state, draft))
  })
  return (
    joined ?? fail(refusal('unavailable', 'The session is changing too often; retry the request.'))
  )
}

const unknownSession = (): Refusal => refusal('not_found', 'Session not found.')

const NO_TICKET = {
  busy: refusal('session_busy', 'The session has an active run.'),
  full: refusal('rate_limited', 'Too many runs are waiting for this session.'),
  archived: refusal('conflict', 'The session is archived; set `archived` to false first.'),
} as const
const noTicket = (reason: keyof typeof NO_TICKET): Refusal => NO_TICKET[reason]

function withTicket(state: SessionState, { spec, secret }: PreparedRun): PreparedRun {
  const ownTicket = ticketOf(state, spec.id)!
  const granted = state.current?.run_id === spec.id
  const turn = { ticket: ownTicket.ticket, granted, history: granted ? historyOf(state) : [] }
  return { spec: { ...spec, session_id: state.id, turn }, secret }
}

/**
 * Completes the steps that follow the ticket. The run is created last, because a retried request
 * that finds the run assumes that all steps are complete.
 */
async function settle(
  world: World,
  { partition }: Pick<StoredSession, 'partition'>,
  state: SessionState,
  draft: PreparedRun,
): Promise<Created> {
  const { tenant } = parsePartition(partition)
  const { interrupts, awaits } = state
  if (awaits !== undefined) await awaitEnd(world, tenant, awaits)
  if (interrupts !== undefined) await interrupt(world, tenant, interrupts)
  const created = await create(world, tenant, { partition }, withTicket(state, draft))
  // The session's next pass clears the pending outbox entry.
  const wake = { partition, lane: 'main', started: true, staleCount: 0 } as const
  if (interrupts !== undefined || awaits !== undefined) await world.queue.send([wake])
  return created
}

async function create(
  world: World,
  tenant: string,
  session: Pick<StoredSession, 'partition'>,
  pinned: PreparedRun,
): Promise<Created> {
  const created = await createPrepared(world, tenant, pinned)
  const ticket = pinned.spec.turn!.ticket
  await world.store.commit(session.partition, [{ op: 'delete', key: ticketKey(ticket) }])
  return created
}
