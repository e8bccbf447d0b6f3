/**
 * Wakeups: one-slot schedules that a run's model creates for the run's session. Each is named after
 * its tool call, so creation is idempotent. Their number and delay are limited, and the started run
 * has its creator's restrictions.
 */

import { LIMITS } from '../../core/limits.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { newSchedule, type Schedule, type ScheduledRun } from '../../core/schedule/schedule.ts'
import { digest } from '../../lib/digest.ts'
import type { World } from '../../ports/world.ts'
import { schedulePartition, wakeupsList } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import { auditRow } from '../tenant/audit.ts'
import { changeOfSchedule } from './audit.ts'
import { changeSchedule, findSchedule, readSchedule, scheduleId, writeSchedule } from './store.ts'

export interface WakeupAsked {
  readonly call: string
  readonly message: string
  /** Due time of the wakeup, in milliseconds since 1970. */
  readonly at: number
}

/** Maximum lateness of a wakeup, in seconds; a wakeup that is a week late is still useful. */
const WINDOW_SECONDS = LIMITS.schedule_window_seconds_max

const nameOf = (call: string): string => `wakeup-${digest(call).slice(0, 20)}`

/** Creates the wakeup, or returns the reason why it cannot be created. */
export async function createWakeup(
  world: World,
  tenant: string,
  state: RunState,
  { call, message, at }: WakeupAsked,
): Promise<Schedule | string> {
  const { id: runId, session_id, key } = state.spec!
  const name = nameOf(call)
  const partition = schedulePartition(tenant, scheduleId(tenant, name))
  return update<Schedule | string>(world, `the wakeup ${name}`, async () => {
    const existing = await readSchedule(world, partition)
    if (existing) return existing.schedule
    const wakeups = await world.store.list(
      wakeupsList(tenant, session_id),
      undefined,
      LIMITS.wakeups,
    )
    if (wakeups.length >= LIMITS.wakeups) {
      return `This session already has ${LIMITS.wakeups} pending wakeups; cancel one first.`
    }
    const identity = {
      id: scheduleId(tenant, name),
      name,
      kind: 'wakeup',
      incarnation: call,
    } as const
    const definition = {
      description: null,
      when: { type: 'at', at } as const,
      run: runOf(state, message),
      overlap: 'queue' as const,
      catch_up: 'latest' as const,
      catch_up_window_seconds: WINDOW_SECONDS,
      jitter_seconds: 0,
      ends_at: null,
    }
    const origin = { ...identity, created_by: runId, ...(key ? { key } : {}) }
    const schedule = newSchedule(origin, definition, world.clock.now())
    const entry = { kind: 'schedule', name, action: 'create', by: runId, number: 1 } as const
    const rows = [auditRow(world, tenant, { ...entry, ...changeOfSchedule(undefined, schedule) })]
    const read = { partition, version: null }
    return (await writeSchedule(world, read, schedule, { rows })) ? schedule : undefined
  })
}

/** Returns a run request for the same agent, session, and restrictions as the creating run. */
function runOf(state: RunState, message: string): ScheduledRun {
  const spec = state.spec!
  const { label, role, repo_dir, base_dir, model, tools, disallowed_tools, approvals } = spec
  const { subject } = spec
  return {
    input: message,
    agent: state.started?.agent ?? spec.agent,
    session_id: spec.session_id,
    ...(label === null ? {} : { label }),
    ...(role === null ? {} : { role }),
    ...(repo_dir === null ? {} : { repo_dir }),
    ...(base_dir === null ? {} : { base_dir }),
    ...(model === null ? {} : { model }),
    ...(tools === null ? {} : { tools }),
    ...(disallowed_tools.length === 0 ? {} : { disallowed_tools }),
    ...(approvals ? { approvals } : {}),
    ...(subject === undefined ? {} : { subject }),
  }
}

/** Lists the pending wakeups of a session. */
export async function listWakeups(
  world: World,
  tenant: string,
  session: string,
): Promise<readonly Schedule[]> {
  const rows = await world.store.list(wakeupsList(tenant, session), undefined, LIMITS.wakeups)
  const names = rows.map(({ body }) => JSON.parse(body) as string)
  const schedules = await Promise.all(names.map((name) => findSchedule(world, tenant, name)))
  return schedules.flatMap((stored) =>
    stored && stored.schedule.ended_at === null ? [stored.schedule] : [],
  )
}

/** Cancels a wakeup; returns false if the session has no pending wakeup with this name. */
export async function cancelWakeup(
  world: World,
  tenant: string,
  { id: runId, session_id }: { readonly id: string; readonly session_id: string },
  name: string,
): Promise<boolean> {
  const done = await changeSchedule<'none'>(world, tenant, name, ({ schedule }) => {
    const { kind, run, ended_at, revision } = schedule
    if (kind !== 'wakeup' || run.session_id !== session_id || ended_at !== null) {
      return { stop: 'none' }
    }
    const to = { ...schedule, deleted: true, fires: [], revision: revision + 1 }
    const entry = { kind: 'schedule', name, action: 'delete', by: runId } as const
    const change = changeOfSchedule(schedule, to)
    return { to, rows: [auditRow(world, tenant, { ...entry, number: to.revision, ...change })] }
  })
  return done !== undefined && 'schedule' in done
}
