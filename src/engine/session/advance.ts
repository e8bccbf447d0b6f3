/**
 * Advances a session: creates runs that have tickets, records results of ended runs, cancels an
 * interrupted run, and gives the turn to the next run. Each outbox entry is sent by an idempotent,
 * named put and then cleared, so a crash only causes a repeated put.
 */

import { LIMITS } from '../../core/limits.ts'
import { sessionFolder } from '../../core/memory/scope.ts'
import type { Message } from '../../core/message.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import type { SessionState } from '../../core/session/session.ts'
import { endTurn, historyOf, type TurnResult, withLate } from '../../core/session/session.ts'
import { byteLength } from '../../lib/bytes.ts'
import type { World, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { createPrepared, type PreparedRun } from '../logs/prepared-run.ts'
import { command, readRun } from '../logs/run.ts'
import { forgetMemory } from '../memory/index-store.ts'
import { type Home, homeOfSession } from '../partition/home.ts'
import { MAILBOX, parsePartition, runPartition, TURN_MAIL } from '../partition/keys.ts'
import { isMail, post } from '../partition/mailbox.ts'
import { stored } from '../partition/stored.ts'
import { retry } from '../partition/update.ts'
import type { Audited } from '../tenant/audit.ts'
import { deleteBodies, getBlob, putBlob } from '../tenant/blobs.ts'
import { archived } from './archive.ts'
import { settleAwait } from './await.ts'
import { changeRows, clearChanges, hasChanges, type SessionEvent, sendChanges } from './changes.ts'
import { settleInterrupt } from './interrupt.ts'
import { type LateLetter, receivedKey, wasReceived } from './late.ts'
import { isOver, readSession, type StoredSession, writeSession } from './store.ts'

/** Result that a run sends to its session when the run ends. */
export interface EndLetter extends TurnResult {
  readonly run_id: string
}

/**
 * Size up to which small transcript segments are merged, in bytes; merging keeps the segment list
 * of a long session short.
 */
const SEGMENT_BYTES = 65_536
const TRIES = 50

export async function advanceSession(world: World, partition: string): Promise<void> {
  const { tenant } = parsePartition(partition)
  await retry(world, TRIES, async () => {
    const session = await readSession(world, partition)
    if (!session) return true
    await createMissing(world, session)
    if (session.state.deleted) {
      await emptied(world, session)
      return true
    }
    const ended = session.rows.filter(isMail)
    if (ended.length > 0) {
      await handIn(world, session, ended.slice(0, LIMITS.mail_per_commit))
      return undefined
    }
    if (session.state.interrupts !== undefined) await settleInterrupt(world, tenant, session)
    else if (session.state.awaits !== undefined) await settleAwait(world, session)
    else if (session.state.turn_due) await giveTurn(world, session)
    else if (hasChanges(session)) {
      // Unsent changes stay in the session's outbox, and the alarm retries them.
      if (!(await sendChanges(world, session))) return true
      await clearChanges(world, session)
    } else if (isOver(session.state, world.clock.now())) await forget(world, session)
    // The tick set this alarm because mail was unread; the write clears it.
    else if (session.alarmed) await writeSession(world, session, session.state)
    else return true
    return undefined
  })
}

/** Deletes a session whose retention has passed without activity. */
async function forget(world: World, session: StoredSession): Promise<void> {
  const state = { ...session.state, deleted: true }
  const rows = await changeRows(
    world,
    session,
    deletion(state, {
      by: 'system',
      reason: 'retention',
      detail: 'inactive for the entire retention period',
    }),
  )
  await writeSession(world, session, state, rows)
}

interface Deletion extends Pick<Audited, 'by' | 'detail'> {
  readonly reason: 'requested' | 'retention'
}
export const deletion = (state: SessionState, { reason, ...who }: Deletion): SessionEvent => ({
  type: 'session.deleted',
  state,
  more: { reason },
  audited: { action: 'delete', ...who },
})

/** Number of session rows deleted per commit. */
const CHUNK = 50

/**
 * Cancels the runs of a deleted session and deletes its content. The implicit session of a run
 * keeps a tombstone; otherwise its run would recreate it.
 */
async function emptied(world: World, session: StoredSession): Promise<void> {
  const { partition, state, rows } = session
  const { tenant, id } = parsePartition(partition)
  const reason = 'the session was deleted'
  const requested = { type: 'cancel.requested', by: 'api', reason } as const
  for (const entry of [state.current, ...state.queue]) {
    if (entry) await command(world, runPartition(tenant, entry.run_id), [requested])
  }
  await deleteBodies(world, homeOf(partition))
  await forgetMemory({ world, tenant }, sessionFolder(id))
  // Deletion waits until pending events are sent, because they are stored in the session; the alarm
  // retries.
  if (!(await sendChanges(world, session))) return
  if (!state.own) return world.store.drop(partition)
  const keys = rows.map(({ key }) => key).filter((key) => key !== HEAD)
  for (let at = 0; at < keys.length; at += CHUNK) {
    const deletes = keys.slice(at, at + CHUNK).map((key) => ({ op: 'delete', key }) as const)
    await world.store.commit(partition, deletes)
  }
  const remaining = await readSession(world, partition)
  const empty = remaining && !remaining.state.current && remaining.state.queue.length === 0
  if (!remaining || (empty && !remaining.alarmed)) return
  await writeSession(world, remaining, {
    ...remaining.state,
    current: null,
    queue: [],
    turn_due: false,
  })
}

function homeOf(partition: string): Home {
  const { tenant, id } = parsePartition(partition)
  return homeOfSession(tenant, id)
}

async function createMissing(world: World, { partition, rows }: StoredSession): Promise<void> {
  const { tenant } = parsePartition(partition)
  for (const { key, body } of rows) {
    if (!key.startsWith('t/')) continue
    const pinned = stored<PreparedRun>('a ticket', body, { spec: 'object' })
    await createPrepared(world, tenant, pinned)
    await world.store.commit(partition, [{ op: 'delete', key }])
  }
}

async function handIn(
  world: World,
  session: StoredSession,
  mail: StoredSession['rows'],
): Promise<void> {
  let state = session.state
  const received: Write[] = []
  for (const { key, body } of mail) {
    const mail = stored<EndLetter | LateLetter>('mail', body, {})
    if ('late' in mail) {
      const child = key.slice(MAILBOX.length)
      if (wasReceived(session, child)) continue
      state = withLate(state, mail.late)
      received.push({
        op: 'put',
        key: receivedKey(child),
        body: JSON.stringify(key),
        expect: 'absent',
      })
      continue
    }
    const { run_id, ...leaving } = mail
    state = endTurn(state, run_id, leaving)
  }
  state = await archived(world, homeOf(session.partition), await joined(world, session, state))
  const deletes = mail.map(({ key }) => ({ op: 'delete', key }) as const)
  await writeSession(world, session, state, [...deletes, ...received])
}

/** Merges the newest transcript segments while they are small. */
async function joined(
  world: World,
  session: StoredSession,
  state: SessionState,
): Promise<SessionState> {
  const home = homeOf(session.partition)
  const old = session.state.segments
  const fresh = state.segments.slice(old.length)
  const last = old.at(-1)
  if (fresh.length === 0 || last === undefined) return state
  // Segments covered by a summary are not merged with later segments.
  if ((state.compacted?.upto ?? 0) >= old.length) return state
  const texts = await Promise.all(
    [last, ...fresh].map(async (digest) => (await getBlob(world, home, digest)) ?? '[]'),
  )
  if (texts.reduce((sum, text) => sum + byteLength(text), 0) > SEGMENT_BYTES) return state
  const messages = texts.flatMap((text) => JSON.parse(text) as Message[])
  const segment = await putBlob(world, home, JSON.stringify(messages))
  return { ...state, segments: [...old.slice(0, -1), segment] }
}

/** Sends the turn and the transcript to the next run, then clears the outbox entry. */
async function giveTurn(world: World, session: StoredSession): Promise<void> {
  const { state, partition } = session
  const { tenant } = parsePartition(partition)
  if (state.current) {
    const run = runPartition(tenant, state.current.run_id)
    const fact: RunFact = { type: 'run.resumed', history: historyOf(state) }
    const posted = await post(world, {
      partition: run,
      key: TURN_MAIL,
      mail: fact,
      lane: 'main',
      started: false,
      news: 'changed',
      arrived: () => hasTurn(world, run),
    })
    // The unsent turn stays in the outbox, and the next pass retries.
    if (posted !== 'posted') return
  }
  await writeSession(world, session, { ...state, turn_due: false })
}

async function hasTurn(world: World, partition: string): Promise<boolean> {
  const run = await readRun(world, partition)
  if (run?.state.waiting?.on !== 'session') return true
  return run.mail.some(({ key }) => key === TURN_MAIL)
}
