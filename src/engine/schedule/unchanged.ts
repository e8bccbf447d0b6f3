/** Recognizes writes that would not change a schedule, so that deployments are idempotent. */

import type { ScheduleRequest } from '../../core/schedule/request.ts'
import {
  type Definition,
  isSame,
  type Schedule,
  type ScheduleSource,
} from '../../core/schedule/schedule.ts'
import type { StoredSchedule } from './store.ts'

export interface ScheduleDraft {
  readonly definition: Definition
  readonly asked: ScheduleRequest
  /** File that defines the schedule; undefined if requests define it. */
  readonly source: ScheduleSource | undefined
}

/**
 * Returns whether a write would change nothing. A sealed secret cannot be compared, so a secret in
 * the request counts as a change.
 */
export function unchanged(
  { schedule }: StoredSchedule,
  { definition: requested, asked: { webhook }, source }: ScheduleDraft,
): Schedule | undefined {
  if (webhook?.secret !== undefined || !isSameSource(schedule.source, source)) return undefined
  const { when } = schedule
  const isEvery =
    when.type === 'every' &&
    requested.when.type === 'every' &&
    when.every_ms === requested.when.every_ms
  const agent = schedule.run.agent
  const isAgent = agent.toLowerCase() === requested.run.agent.trim().toLowerCase()
  const run = isAgent ? { ...requested.run, agent } : requested.run
  const compared = { ...requested, run, ...(isEvery ? { when } : {}) }
  return isSame(schedule, compared) ? schedule : undefined
}

function isSameSource(
  previous: ScheduleSource | undefined,
  now: ScheduleSource | undefined,
): boolean {
  const sourceKey = (source: ScheduleSource | undefined) =>
    source && JSON.stringify({ ...source, read_at: 0 }, Object.keys(source).sort())
  return sourceKey(previous) === sourceKey(now)
}
