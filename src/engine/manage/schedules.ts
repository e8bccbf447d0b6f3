/**
 * Schedule operations (`core/manage/schedules.ts`) for every interface. A key can access all
 * schedules of its tenant; a run can access all except other sessions' wakeups. Responses omit
 * webhook secrets, because a model would read them.
 */

import {
  SCHEDULE_OPERATIONS,
  type ScheduleOperation,
  type ScheduleOperationInput,
} from '../../core/manage/schedules.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { at } from '../../core/schedule/request.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import { shownSchedule } from '../../core/schedule/view.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { schedulesList, wakeupsList } from '../partition/keys.ts'
import { pageOf } from '../partition/page.ts'
import { deleteSchedule, pauseSchedule, putSchedule, resumeSchedule } from '../schedule/manage.ts'
import { type Advance, runScheduleNow } from '../schedule/run-now.ts'
import { switchOn } from '../schedule/source.ts'
import { findSchedule, mayBeSchedule, scheduleHeadOf } from '../schedule/store.ts'
import { listWakeups } from '../schedule/wakeup.ts'
import { parsedInput } from './input.ts'
import type { OperationContext } from './place.ts'

interface Run {
  readonly id: string
  readonly session_id: string
}

interface ScheduleContext extends OperationContext {
  /** Run that calls the operation; absent for a key, which can access the entire tenant. */
  readonly run?: Run
  /** Idempotency name of the call, so that its fire happens once. */
  readonly once?: string
  /** Creates a fire's run immediately; if absent, a wake creates the run shortly after. */
  readonly advance?: Advance
}

type Result = Promise<Outcome<object, Refusal>>
type Perform<N extends ScheduleOperation> = (
  context: ScheduleContext,
  input: ScheduleOperationInput<N>,
) => Result

const missing = (): Refusal => refusal('not_found', 'Schedule not found.')

const PERFORM: { readonly [N in ScheduleOperation]: Perform<N> } = {
  schedules_list: list,
  schedules_get: (context, { name }) =>
    withSchedule(context, name, async (schedule) => ok(shownSchedule(schedule))),
  schedules_put: put,
  schedules_switch_on: async (context, { name, ...source }) => {
    const more = { created_by: context.run?.id }
    const done = await switchOn(context, name, source, undefined, more)
    return done.ok ? ok(shownSchedule(done.value.schedule)) : done
  },
  schedules_delete: (context, { name }) =>
    withSchedule(context, name, async () => {
      const done = await deleteSchedule(context, name, undefined)
      return done.ok ? ok({ name: done.value.name, deleted: true }) : done
    }),
  schedules_pause: (context, { name, reason = null }) =>
    withSchedule(context, name, async () =>
      shownOutcome(await pauseSchedule(context, name, reason, undefined)),
    ),
  schedules_resume: (context, { name }) =>
    withSchedule(context, name, async () =>
      shownOutcome(await resumeSchedule(context, name, undefined)),
    ),
  schedules_run: run,
}

/** Performs a schedule operation after validating its parameters. */
export async function scheduleOperation<N extends ScheduleOperation>(
  context: ScheduleContext,
  operation: N,
  input: unknown,
): Result {
  const parsed = parsedInput(SCHEDULE_OPERATIONS[operation].input, input)
  if (!parsed.ok) return parsed
  return PERFORM[operation](context, parsed.value as ScheduleOperationInput<N>)
}

const shownOutcome = (done: Outcome<Schedule, Refusal>) =>
  done.ok ? ok(shownSchedule(done.value)) : done

/** Performs an operation on an existing schedule, if the caller may access it. */
async function withSchedule(
  { world, tenant, run }: ScheduleContext,
  name: string,
  perform: (schedule: Schedule) => Result,
): Result {
  const current = mayBeSchedule(name) ? await findSchedule(world, tenant, name) : undefined
  if (!current) return fail(missing())
  const { schedule } = current
  const isOthers = schedule.kind === 'wakeup' && schedule.run.session_id !== run?.session_id
  return run && isOthers ? fail(missing()) : perform(schedule)
}

async function list(
  { world, tenant, run }: ScheduleContext,
  { kind, ...query }: ScheduleOperationInput<'schedules_list'>,
): Result {
  if (run && kind === 'wakeup') {
    const wakeups = await listWakeups(world, tenant, run.session_id)
    return ok({ data: wakeups.map(shownSchedule), next_cursor: null, has_more: false })
  }
  const under = kind === 'wakeup' ? wakeupsList(tenant) : schedulesList(tenant)
  return pageOf(world, under, query, (body) => shownSchedule(scheduleHeadOf(body).schedule))
}

async function put(
  context: ScheduleContext,
  { name, ...request }: ScheduleOperationInput<'schedules_put'>,
): Result {
  const { run } = context
  const rejection = run && runRejection(run, request)
  if (rejection) return fail(rejection)
  const done = await putSchedule(context, name, request, undefined, { created_by: run?.id })
  return done.ok ? ok(shownSchedule(done.value.schedule)) : done
}

type Request = Omit<ScheduleOperationInput<'schedules_put'>, 'name'>

/** Rejects a model's schedule that writes into another session or approves by time-out. */
function runRejection({ session_id }: Run, request: Request): Refusal | undefined {
  if (request.session_id !== undefined && request.session_id !== session_id) {
    return at('/session_id', 'a run can schedule only in its own session')
  }
  if (request.approvals?.on_expiry !== 'approve') return undefined
  return at('/approvals/on_expiry', 'only a person can allow approval on expiry')
}

function run(context: ScheduleContext, { name }: ScheduleOperationInput<'schedules_run'>): Result {
  const { once, advance } = context
  const scope = `schedules_run ${name}`
  const requestKey = once === undefined ? undefined : { scope, key: once, body: '' }
  return withSchedule(context, name, async () => {
    const fired = await runScheduleNow(context, name, { keyed: requestKey, advance })
    if (!fired.ok) return fired
    const { run_id, status } = fired.value
    return ok({ run_id, status })
  })
}
