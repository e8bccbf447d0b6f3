/** End user of a session: all of its runs act for the same user, or all for none. */

import { type Refusal, refusal } from '../../core/problem.ts'
import { isSubjectAllowed, type SessionState } from '../../core/session/session.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { findSession } from './store.ts'

const MESSAGE = 'The session acts for another end user, or for none.'

/**
 * Returns the end user of a new run: the requested one, or that of the session. Rejects another end
 * user, who would read the transcript.
 */
export function subjectIn(
  state: SessionState | undefined,
  requested: string | undefined,
): Outcome<string | undefined, Refusal> {
  const subject = requested ?? state?.subject
  return state && !isSubjectAllowed(state, subject) ? fail(otherSubject()) : ok(subject)
}

interface LaterRun {
  readonly session_id?: string | null | undefined
  readonly subject?: string | null | undefined
}

/** Returns the end user of runs that start later; rejects a session that they cannot continue. */
export async function laterSubject(
  world: World,
  tenant: string,
  { session_id, subject }: LaterRun,
): Promise<Outcome<string | undefined, Refusal>> {
  if (session_id == null) return ok(subject ?? undefined)
  const session = await findSession(world, tenant, session_id)
  if (session) return subjectIn(session.state, subject ?? undefined)
  const errors = [{ pointer: '/session_id', message: 'session not found' }]
  const detail = `Session ${JSON.stringify(session_id)} not found.`
  return fail(refusal('invalid_request', detail, { errors }))
}

export const otherSubject = (): Refusal =>
  refusal('conflict', MESSAGE, { errors: [{ pointer: '/subject', message: MESSAGE }] })
