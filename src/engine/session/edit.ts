/** Changes a session's title, archived state, and retention. */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import type { SessionState } from '../../core/session/session.ts'
import { digest } from '../../lib/digest.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { sessionPartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import type { Asker } from '../tenant/audit.ts'
import { changeRows, settleChanges } from './changes.ts'
import { findSession, writeSession } from './store.ts'

/** Edit of a session; absent members stay unchanged, and null removes the stored value. */
export interface SessionChange {
  readonly title?: string | null | undefined
  readonly agent?: string | null | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly archived?: boolean | undefined
  readonly retention_seconds?: number | null | undefined
}

/** Returns the ETag of the session members that `editSession` changes; turns do not change it. */
export const sessionEtag = ({ title, metadata, archived_at, retention_ms }: SessionState): string =>
  digest([title ?? null, metadata, archived_at !== undefined, retention_ms ?? null]).slice(0, 32)

/**
 * Edits the session; rejects the edit if `etag` does not match. Returns undefined if the session
 * does not exist.
 */
export async function editSession(
  { world, tenant, by }: Asker,
  id: string,
  change: SessionChange,
  etag: string | undefined,
): Promise<Outcome<SessionState, Refusal> | undefined> {
  let writtenEtag: string | undefined
  const edited = await update(world, `the session ${id}`, async () => {
    const session = await findSession(world, tenant, id)
    if (!session) return ok(null)
    const now = sessionEtag(session.state)
    // An earlier attempt of this edit may have succeeded although its response was lost.
    if (etag !== undefined && etag !== now && now !== writtenEtag) {
      return fail(
        refusal(
          'precondition_failed',
          'The session has changed since you read it; read it again and retry.',
        ),
      )
    }
    const state = changed(session.state, change, world.clock.now())
    const names = changedMembers(session.state, state)
    if (names.length === 0) return ok(session.state)
    const audited = { action: 'update', by, detail: names.join(', ') } as const
    const event = { type: 'session.updated', state, more: { changed: names }, audited } as const
    const rows = await changeRows(world, session, event)
    writtenEtag = sessionEtag(state)
    return (await writeSession(world, session, state, rows)) ? ok(state) : undefined
  })
  if (!edited.ok) return edited
  if (edited.value === null) return undefined
  await settleChanges(world, sessionPartition(tenant, id))
  return ok(edited.value)
}

function changed(state: SessionState, change: SessionChange, now: number): SessionState {
  const { title, agent, metadata, archived, retention_seconds } = change
  const retentionMs = retention_seconds === null ? undefined : Number(retention_seconds) * 1_000
  return {
    ...state,
    ...(title === undefined ? {} : { title: title ?? undefined }),
    ...(agent === undefined ? {} : { agent }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(archived === undefined ? {} : { archived_at: putAway(state, archived, now) }),
    ...(retention_seconds === undefined ? {} : { retention_ms: retentionMs }),
  }
}

/** Returns the API names of the changed session members. */
function changedMembers(previous: SessionState, after: SessionState): string[] {
  const [old, fresh] = [membersOf(previous), membersOf(after)]
  const names = Object.keys(fresh) as (keyof typeof fresh)[]
  return names.filter((name) => digest([old[name]]) !== digest([fresh[name]]))
}

const membersOf = ({ title, agent, metadata, archived_at, retention_ms }: SessionState) => ({
  title: title ?? null,
  agent,
  metadata,
  archived: archived_at !== undefined,
  retention_seconds: retention_ms ?? null,
})

/** Returns the session's archive time; archiving an archived session keeps the first time. */
const putAway = (
  { archived_at }: SessionState,
  archived: boolean,
  now: number,
): number | undefined => (archived ? (archived_at ?? now) : undefined)
