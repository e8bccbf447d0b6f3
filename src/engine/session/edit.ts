/** Changes what people say about a session: its title, whether it is put away, how long it is kept. */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import type { SessionState } from '../../core/session/session.ts'
import { digest } from '../../lib/digest.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { update } from '../partition/update.ts'
import { type Asker, audit } from '../tenant/audit.ts'
import { findSession, writeSession } from './store.ts'

/** Absent: as it is; null: none. */
export interface SessionChange {
  readonly title?: string | null | undefined
  readonly agent?: string | null | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly archived?: boolean | undefined
  readonly retention_seconds?: number | null | undefined
}

/** Names what `editSession` can change; turns leave it as it is. */
export const sessionEtag = ({ title, metadata, archived_at, retention_ms }: SessionState): string =>
  digest([title ?? null, metadata, archived_at !== undefined, retention_ms ?? null]).slice(0, 32)

/** `etag`: refused when it is another one by now. Undefined: there is no such session. */
export async function editSession(
  { world, tenant, by }: Asker,
  id: string,
  change: SessionChange,
  etag: string | undefined,
): Promise<Outcome<SessionState, Refusal> | undefined> {
  const edited = await update(world, `the session ${id}`, async () => {
    const found = await findSession(world, tenant, id)
    if (!found) return ok(null)
    if (etag !== undefined && etag !== sessionEtag(found.state)) {
      return fail(refusal('precondition_failed', 'The session has been changed since it was read.'))
    }
    const state = changed(found.state, change, world.clock.now())
    if (sessionEtag(state) === sessionEtag(found.state) && state.agent === found.state.agent) {
      return ok(found.state)
    }
    return (await writeSession(world, found, state)) ? ok(state) : undefined
  })
  if (!edited.ok) return edited
  if (edited.value === null) return undefined
  const about = { kind: 'session', name: id, action: 'update', by, number: 0 } as const
  await audit(world, tenant, { ...about, detail: Object.keys(change).join(', ') })
  return ok(edited.value)
}

function changed(state: SessionState, change: SessionChange, now: number): SessionState {
  const { title, agent, metadata, archived, retention_seconds } = change
  const kept = retention_seconds === null ? undefined : Number(retention_seconds) * 1_000
  return {
    ...state,
    ...(title === undefined ? {} : { title: title ?? undefined }),
    ...(agent === undefined ? {} : { agent }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(archived === undefined ? {} : { archived_at: putAway(state, archived, now) }),
    ...(retention_seconds === undefined ? {} : { retention_ms: kept }),
  }
}

/** Since when: put away again, it is since then. */
const putAway = (
  { archived_at }: SessionState,
  archived: boolean,
  now: number,
): number | undefined => (archived ? (archived_at ?? now) : undefined)
