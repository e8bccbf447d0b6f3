/** Validates the start time and expiry of a run request, and converts them to spec members. */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { Begins, RunWarning } from '../../core/run/log/fact-parts.ts'
import { beginsOf } from '../../core/run/state/begin.ts'
import { parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import type { RunRequest } from './request.ts'

type BeginRequest = Pick<RunRequest, 'start_at' | 'expires_in' | 'priority'>

export function beginRefused(
  world: World,
  { start_at, session_id }: BeginRequest & Pick<RunRequest, 'session_id'>,
): Refusal | undefined {
  if (start_at === undefined) return undefined
  const refuse = (message: string): Refusal =>
    refusal('invalid_request', `start_at: ${message}.`, {
      errors: [{ pointer: '/start_at', message }],
    })
  const at = parseTime(start_at)
  if (at === undefined) return refuse('must be a time such as 2026-03-01T09:00:00Z')
  if (at - world.clock.now() > LIMITS.start_seconds_max * 1_000) {
    return refuse(`must be at most ${LIMITS.start_seconds_max} seconds from now`)
  }
  // A delayed run would occupy its session immediately and block the session's other runs.
  if (session_id === undefined) return undefined
  return refuse('runs in a session start in order; to start one later, use a schedule with `at`')
}

export const beginFields = (world: World, request: BeginRequest): Begins =>
  beginsOf(
    request,
    request.start_at === undefined ? undefined : parseTime(request.start_at),
    world.clock.now(),
  )

/** Returns a warning about a priority that this platform does not support. */
export const orderWarnings = (
  { settings }: World,
  { priority }: BeginRequest,
): readonly RunWarning[] =>
  settings.keepsOrder && priority !== undefined && priority !== 0
    ? [
        {
          code: 'priority_ignored',
          message: 'this deployment starts queued runs in order of arrival, regardless of priority',
        },
      ]
    : []
