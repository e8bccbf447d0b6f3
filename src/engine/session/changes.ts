/**
 * Session changes made by a client or by retention, each with an audit entry and a webhook event.
 * One row records both in the change's commit and is deleted after delivery, so a crash loses
 * neither (PROTOCOL.md rule 10). Their IDs derive from the change, so neither is duplicated.
 */

import type { SessionState } from '../../core/session/session.ts'
import type { WebhookEvent } from '../../core/webhook/signature.ts'
import { derivedId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import type { World, Write } from '../../ports/world.ts'
import { parsePartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { retry } from '../partition/update.ts'
import { type Audited, audit, originOf } from '../tenant/audit.ts'
import { subscribedTypes, tellEndpoints } from '../webhook/endpoint/subscriptions.ts'
import { changeKey, isChange, readSession, type StoredSession, writeSession } from './store.ts'

export interface SessionEvent {
  readonly type: 'session.created' | 'session.updated' | 'session.forked' | 'session.deleted'
  /** Session state after the change. */
  readonly state: SessionState
  /** Members of the event's `data` that are specific to this event type. */
  readonly more?: object
  /** Audit entry of the change; undefined if the change is not audited. */
  readonly audited?: Pick<Audited, 'action' | 'by' | 'detail'>
}

interface Change {
  /** ID of the change's event, assigned even if no endpoint subscribes. */
  readonly id: string
  readonly audited?: Audited | undefined
  readonly event?: WebhookEvent | undefined
}

/**
 * Returns the rows to commit with this session version; empty if the change has neither a
 * subscriber nor an audit entry.
 */
export async function changeRows(
  world: World,
  { partition, version }: Pick<StoredSession, 'partition' | 'version'>,
  { type, state, more, audited }: SessionEvent,
): Promise<readonly Write[]> {
  const { tenant, id: name } = parsePartition(partition)
  const isSubscribed = (await subscribedTypes(world, tenant)).includes(type)
  if (!(isSubscribed || audited)) return []
  const seq = (version ?? 0) + 1
  const now = world.clock.now()
  // The event ID includes the time, because a deleted session can be created again.
  const id = derivedId('evt', name, seq, now)
  const event: WebhookEvent = {
    id,
    type,
    run_id: null,
    seq,
    created_at: iso(now),
    data: { ...sessionFields(state), ...more },
  }
  const change: Change = {
    id,
    audited: audited && {
      ...{ kind: 'session', name, number: seq, ...audited },
      ...originOf(world, audited.by),
    },
    event: isSubscribed ? event : undefined,
  }
  return [{ op: 'put', key: changeKey(id), body: JSON.stringify(change), expect: 'absent' }]
}

/** Returns the session's metadata for events, without conversation content. */
const sessionFields = (state: SessionState) => ({
  session_id: state.id,
  agent: state.agent,
  title: state.title ?? null,
  archived: state.archived_at !== undefined,
  retention_seconds: state.retention_ms === undefined ? null : state.retention_ms / 1_000,
  metadata: state.metadata,
})

export const hasChanges = ({ rows }: Pick<StoredSession, 'rows'>): boolean => rows.some(isChange)

/**
 * Sends the session's pending changes to the audit log and the webhook endpoints. Returns false if
 * delivery is uncertain; the alarm then retries.
 */
export async function sendChanges(
  world: World,
  { partition, rows }: Pick<StoredSession, 'partition' | 'rows'>,
): Promise<boolean> {
  const { tenant, id: session } = parsePartition(partition)
  for (const { body } of rows.filter(isChange)) {
    const { id, audited, event } = stored<Change>('a change', body, { id: 'string' })
    if (audited) await audit(world, tenant, audited, id)
    const href = `/v1/sessions/${session}`
    if (event && !(await tellEndpoints(world, tenant, event, href))) return false
  }
  return true
}

/** Deletes the rows of sent changes; returns false after a conflict. */
export function clearChanges(world: World, session: StoredSession): Promise<boolean> {
  const sent = session.rows.filter(isChange).map(({ key }) => ({ op: 'delete', key }) as const)
  return writeSession(world, session, session.state, sent)
}

const TRIES = 10

/**
 * Sends session changes immediately in the worker that made them; after a crash, the session's
 * alarm sends them.
 */
export async function settleChanges(world: World, partition: string): Promise<void> {
  await retry(world, TRIES, async () => {
    const session = await readSession(world, partition)
    if (!(session && hasChanges(session) && (await sendChanges(world, session)))) return true
    return (await clearChanges(world, session)) || undefined
  })
}
