/**
 * Creates, changes, pauses, and deletes schedules. A name identifies one schedule. An identical
 * write changes nothing, so deployments are idempotent. Changes apply from the next slot on.
 */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { at, definitionFrom, type ScheduleRequest } from '../../core/schedule/request.ts'
import {
  hasPassed,
  isScheduleName,
  NAME_FAULT,
  newSchedule,
  paused,
  redefined,
  resumed,
  type Schedule,
  type ScheduleSource,
} from '../../core/schedule/schedule.ts'
import { newSecret } from '../../core/webhook/signature.ts'
import { random } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { schedulePartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import type { Asker, Audited } from '../tenant/audit.ts'
import type { RequestKey } from '../tenant/idempotency.ts'
import { settleId } from '../tenant/idempotent-id.ts'
import { requestKeyOf } from '../tenant/quota-owner.ts'
import { freeSlot, type Slot } from '../tenant/resource-quota.ts'
import { reserveResource } from '../webhook/quota-exceeded.ts'
import { scheduleRow } from './audit.ts'
import { checkDefinition } from './judge.ts'
import {
  changeSchedule,
  findSchedule,
  readSchedule,
  type ScheduleWrites,
  type StoredSchedule,
  scheduleId,
  writeSchedule,
} from './store.ts'
import { type ScheduleDraft, unchanged } from './unchanged.ts'

export interface ShownSchedule {
  readonly schedule: Schedule
  readonly created: boolean
  /** Webhook secret of the schedule, if this call generated it. */
  readonly secret: string | undefined
  readonly replayed: boolean
}

/** Schedule version that the caller expects; undefined accepts any version. */
export type Expected = { readonly revision: string } | 'absent' | undefined

const missing = (): Refusal => refusal('not_found', 'Schedule not found.')
const stale = (): Refusal =>
  refusal('precondition_failed', 'The schedule has changed since you read it; read it again.')

const isStale = ({ revision }: Schedule, expected: Expected): boolean =>
  expected === 'absent' || (expected !== undefined && expected.revision !== String(revision))

/** Creates a schedule (`POST`). A repeated idempotency key returns the original response. */
export async function createSchedule(
  asker: Asker,
  requestedName: string | undefined,
  request: ScheduleRequest & { readonly paused?: boolean | undefined },
  requestKey: RequestKey | undefined,
): Promise<Outcome<ShownSchedule, Refusal>> {
  const { world, tenant } = asker
  const isThere = async (name: string): Promise<Refusal | undefined> =>
    (await findSchedule(world, tenant, name)) && nameConflict(name)
  const validate = () => (requestedName === undefined ? undefined : isThere(requestedName))
  const settled = await settleId(world, tenant, 'sch', requestKey, validate)
  if (!settled.ok) return settled
  const { id, known: isReplay } = settled.value
  const name = requestedName ?? `schedule-${id.slice('sch_'.length, 'sch_'.length + 12)}`
  const shownAgain = async (): Promise<Outcome<ShownSchedule, Refusal> | undefined> => {
    const existing = await findSchedule(world, tenant, name)
    if (!existing) return undefined
    const { schedule } = existing
    if (schedule.incarnation !== id) return fail(nameConflict(name))
    return ok({ schedule, created: true, secret: await opened(asker, existing), replayed: true })
  }
  const earlier = isReplay ? await shownAgain() : undefined
  if (earlier) return earlier
  const created = await putSchedule(asker, name, request, 'absent', { incarnation: id })
  // A concurrent request with the same key may have created the schedule.
  return created.ok || !requestKey ? created : ((await shownAgain()) ?? created)
}

const nameConflict = (name: string): Refusal =>
  refusal('conflict', `A schedule named ${name} already exists; use PUT to replace it.`)

const ofFile = ({ key }: ScheduleSource): Refusal =>
  refusal(
    'conflict',
    `The file ${key} defines this schedule; change the file, or PUT a schedule to replace it.`,
  )

const opened = async ({ world }: Asker, { secret, schedule }: StoredSchedule) =>
  secret === undefined ? undefined : world.secrets.open(secret, schedule.id)

/** Creates or replaces the schedule with a name (`PUT`). */
export async function putSchedule(
  asker: Asker,
  name: string,
  request: ScheduleRequest & { readonly paused?: boolean | undefined },
  expected: Expected,
  more: {
    readonly incarnation?: string
    readonly source?: ScheduleSource
    readonly created_by?: string | undefined
  } = {},
): Promise<Outcome<ShownSchedule, Refusal>> {
  const { world, tenant } = asker
  if (!isScheduleName(name)) return fail(at('/name', `a name must ${NAME_FAULT}`))
  const now = world.clock.now()
  const { paused: isPaused, ...fields } = request
  const { source } = more
  const requested = definitionFrom(fields, now)
  if (!requested.ok) return requested
  const partition = schedulePartition(tenant, scheduleId(tenant, name))
  return update<Outcome<ShownSchedule, Refusal>>(world, `the schedule ${name}`, async () => {
    const current = await readSchedule(world, partition)
    const live = current && !current.schedule.deleted ? current : undefined
    if (live ? isStale(live.schedule, expected) : expected !== undefined && expected !== 'absent') {
      return fail(live && expected === 'absent' ? nameConflict(name) : stale())
    }
    const same = live && unchanged(live, { definition: requested.value, asked: fields, source })
    if (same) return ok({ schedule: same, created: false, secret: undefined, replayed: false })
    const checked = await checkDefinition(world, tenant, requested.value, fields.webhook?.secret)
    if (!checked.ok) return checked
    const definition = checked.value
    if (live) return replaced(asker, live, { definition, asked: fields, source })
    if (hasPassed(definition, now)) return fail(at('/at', 'must be in the future'))
    const slot = slotOf(tenant, scheduleId(tenant, name))
    const full = await reserveResource(world, slot)
    if (full) return fail(full)
    const incarnation = more.incarnation ?? random('sch', world.clock.random(17))
    const id = scheduleId(tenant, name)
    const { created_by = null } = more
    const key = await requestKeyOf(world)
    const identity = { id, name, kind: 'schedule', incarnation, created_by } as const
    const fresh = newSchedule({ ...identity, ...(key && { key }) }, definition, now)
    const revision = (current?.schedule.revision ?? 0) + 1
    const first = { ...fresh, source, revision, pause: isPaused ? byHand(now) : null }
    const webhookSecret = await secretFor(asker, first, fields.webhook, undefined)
    const writes = { secret: webhookSecret.sealed, rows: [scheduleRow(asker, 'create', first)] }
    const read = { partition, version: current?.version ?? null }
    if (!(await writeSchedule(world, read, first, writes))) return undefined
    return ok({ schedule: first, created: true, secret: webhookSecret.generated, replayed: false })
  })
}

const byHand = (now: number) => ({ reason: 'by_hand', detail: null, at: now }) as const

async function replaced(
  asker: Asker,
  current: StoredSchedule,
  { definition, asked: fields, source }: ScheduleDraft,
): Promise<Outcome<ShownSchedule, Refusal> | undefined> {
  const { world } = asker
  const key = await requestKeyOf(world)
  const redefinition = redefined(current.schedule, definition, world.clock.now())
  const next = { ...redefinition, source, ...(key && { key }) }
  const webhookSecret = await secretFor(asker, next, fields.webhook, current.secret)
  const writes: ScheduleWrites = {
    secret: webhookSecret.sealed,
    rows: [scheduleRow(asker, 'update', next, current.schedule)],
    hasEvents: current.events.length > 0,
  }
  if (!(await writeSchedule(world, current, next, writes))) return undefined
  return ok({ schedule: next, created: false, secret: webhookSecret.generated, replayed: false })
}

/** Returns the webhook secret to store; if `sealed` is undefined, the stored secret is kept. */
async function secretFor(
  { world }: Asker,
  { id, run }: Schedule,
  webhook: ScheduleRequest['webhook'],
  stored: string | undefined,
) {
  if (!run.webhook) return { sealed: stored === undefined ? undefined : null, generated: undefined }
  if (webhook?.secret === undefined && stored !== undefined) {
    return { sealed: undefined, generated: undefined }
  }
  const secret = webhook?.secret ?? newSecret(world.clock.random(32))
  const generated = webhook?.secret === undefined ? secret : undefined
  return { sealed: await world.secrets.seal(secret, id), generated }
}

/** Edits a schedule (`PATCH`); members absent from the request stay unchanged. */
export async function patchSchedule(
  asker: Asker,
  name: string,
  change: ScheduleRequest,
  expected: Expected,
): Promise<Outcome<ShownSchedule, Refusal>> {
  const { world, tenant } = asker
  return update<Outcome<ShownSchedule, Refusal>>(world, `the schedule ${name}`, async () => {
    const current = await findSchedule(world, tenant, name)
    if (!current) return fail(missing())
    const { schedule } = current
    if (isStale(schedule, expected)) return fail(stale())
    if (schedule.source) return fail(ofFile(schedule.source))
    const requested = definitionFrom(change, world.clock.now(), schedule)
    if (!requested.ok) return requested
    const checked = await checkDefinition(world, tenant, requested.value, change.webhook?.secret)
    if (!checked.ok) return checked
    const { when } = checked.value
    if (when.type === 'at' && when !== schedule.when && when.at <= world.clock.now()) {
      return fail(at('/at', 'must be in the future'))
    }
    return replaced(asker, current, {
      definition: checked.value,
      asked: change,
      source: undefined,
    })
  })
}

type Changed = Outcome<Schedule, Refusal>

async function changed(
  asker: Asker,
  name: string,
  expected: Expected,
  action: Audited['action'],
  by: (schedule: Schedule) => Schedule | Refusal,
): Promise<Changed> {
  const { world, tenant } = asker
  const done = await changeSchedule<Refusal | Schedule>(world, tenant, name, ({ schedule }) => {
    if (isStale(schedule, expected)) return { stop: stale() }
    const to = by(schedule)
    if ('code' in to || to === schedule) return { stop: to }
    return { to, rows: [scheduleRow(asker, action, to, schedule)] }
  })
  if (!done) return fail(missing())
  if ('schedule' in done) return ok(done.schedule)
  return 'code' in done.stop ? fail(done.stop) : ok(done.stop)
}

/** Deletes the schedule; its active runs continue, and its queued runs never start. */
export async function deleteSchedule(
  asker: Asker,
  name: string,
  expected: Expected,
): Promise<Changed> {
  const { world, tenant } = asker
  const now = world.clock.now()
  const done = await changed(asker, name, expected, 'delete', (schedule) => ({
    ...schedule,
    deleted: true,
    fires: [],
    revision: schedule.revision + 1,
  }))
  if (!done.ok) return done
  await freeSlot(world, slotOf(tenant, done.value.id), now, done.value.key)
  return done
}

const slotOf = (tenant: string, id: string): Slot => ({
  ...{ tenant, kind: 'schedules', partition: schedulePartition(tenant, id) },
})

export const pauseSchedule = (
  asker: Asker,
  name: string,
  detail: string | null,
  expected: Expected,
): Promise<Changed> =>
  changed(asker, name, expected, 'pause', (schedule) =>
    schedule.pause?.reason === 'by_hand' && schedule.pause.detail === detail
      ? schedule
      : paused(schedule, 'by_hand', detail, asker.world.clock.now()),
  )

export const resumeSchedule = (asker: Asker, name: string, expected: Expected): Promise<Changed> =>
  changed(asker, name, expected, 'resume', (schedule) =>
    schedule.pause ? resumed(schedule, asker.world.clock.now()) : schedule,
  )
