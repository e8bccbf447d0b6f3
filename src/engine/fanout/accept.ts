/**
 * Accepts a fan-out. Every task is validated like a separate run before anything is stored, and
 * each rejection has a pointer to its task. Layers are resolved once per distinct location.
 */

import type { FanoutFact, FanoutSpec, TaskPlan } from '../../core/fanout/facts.ts'
import { TERMINAL_FANOUT_FACTS } from '../../core/fanout/facts.ts'
import { LIVE_PAGES } from '../../core/fanout/open.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { firstMessage } from '../../core/prompt.ts'
import { CHILDREN_PER_OBJECT } from '../../core/run/decide/child.ts'
import { isBudget } from '../../core/run/log/amounts.ts'
import { JOIN_DEFAULT } from '../../core/run/log/facts.ts'
import { taskWarnings } from '../../core/run/state/warning.ts'
import { random } from '../../lib/id.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { fanoutLogType, readFanout } from '../logs/fanout.ts'
import { secretRows, storedSecret } from '../logs/webhook-secret.ts'
import { createLog } from '../partition/create.ts'
import { type Home, homeOf } from '../partition/home.ts'
import { fanoutPartition, fanoutsList } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { traced, webhookOf, webhookRefused } from '../run/accept.ts'
import { beginFields, beginRefused, orderWarnings } from '../run/begin.ts'
import { readContent } from '../run/content.ts'
import { goneRefused } from '../run/delete.ts'
import { quotaRejection } from '../run/quota.ts'
import { spillMessage } from '../tenant/blobs.ts'
import {
  lookUp,
  type RequestKey,
  type Reservation,
  refuseReservation,
  reserve,
} from '../tenant/idempotency.ts'
import { spillSaid } from '../tenant/media.ts'
import { requestKeyOf } from '../tenant/quota-owner.ts'
import { fanoutRoom, readTasks } from './content.ts'
import { type JudgedTask, judgeTasks } from './judge.ts'
import type { FanoutRequest } from './request.ts'
import { storeTasks } from './tasks.ts'

export type Fanout = Committed<FanoutState, FanoutFact>

export interface AcceptedFanout {
  readonly fanout: Fanout
  /** Whether an earlier request with the same idempotency key created the fan-out. */
  readonly replayed: boolean
  /** Webhook secret that the server generated. Returned once, in the 202 response. */
  readonly webhook_secret: string | undefined
}

/**
 * Creates a single fan-out for all requests with the same idempotency key (`requestKey`) and body.
 */
export async function acceptFanout(
  world: World,
  tenant: string,
  request: FanoutRequest,
  requestKey?: RequestKey,
  traceparent?: string,
): Promise<Outcome<AcceptedFanout, Refusal>> {
  const isThere = async (id: string): Promise<boolean> =>
    (await readFanout(world, fanoutPartition(tenant, id))) !== undefined
  const key = requestKey ? await lookUp(world, tenant, requestKey, isThere) : ok(undefined)
  if (!key.ok) return key
  if (key.value?.reservation) {
    const earlierAnswer = await replay(world, tenant, key.value.reservation)
    if (earlierAnswer) return earlierAnswer
  }
  const closed = openRefused(request)
  if (closed) return closed
  const room = fanoutRoom()
  const read = await readTasks(world, tenant, request.tasks ?? [], room)
  if (!read.ok) return read
  const verdict = await judgeTasks(world, tenant, { ...request, tasks: read.value })
  if (!verdict.ok) return verdict
  const pointer = '/then/input'
  const last =
    request.then && (await readContent(world, tenant, request.then.input, { pointer, room }))
  if (last && !last.ok) return last
  const rejection = webhookRefused(world, request.webhook) ?? beginRefused(world, request)
  if (rejection) return fail(rejection)
  const fresh = random('fan', world.clock.random(17))
  const reserved = key.value ? await reserve(world, tenant, key.value, fresh) : ok({ id: fresh })
  if (!reserved.ok) return reserved
  const { id } = reserved.value
  const quotaKey = await requestKeyOf(world)
  const exceeded = await quotaRejection(world, tenant, fanoutPartition(tenant, id), quotaKey)
  if (exceeded && requestKey) await refuseReservation(world, tenant, requestKey)
  if (exceeded) return fail(exceeded)
  const webhook = await webhookOf(world, id, request.webhook, TERMINAL_FANOUT_FACTS)
  const { tasks, closing, strict, on_duplicate } = verdict.value
  const warnings = [...taskWarnings(tasks), ...orderWarningsOf(world, request, tasks.length)]
  const begins = beginFields(world, request)
  const home = homeOf(tenant, id)
  const open = request.open === true
  const spec: FanoutSpec = {
    id,
    ...(world.settings.placesByKin ? { kin: CHILDREN_PER_OBJECT } : {}),
    ...(open ? { open } : {}),
    count: tasks.length,
    tasks: open ? '' : await storeTasks(world, home, await plansOf(world, home, tasks)),
    ...about(request),
    ...(Object.keys(begins).length === 0 ? {} : { begins }),
    join: request.join ?? JOIN_DEFAULT,
    closing: last
      ? { agent: closing ?? 'general', input: await spillSaid(world, home, last.value) }
      : null,
    webhook: webhook.webhook,
    ...(request.approvals ? { approvals: request.approvals } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
    strict,
    on_duplicate,
    live_children: open ? LIVE_PAGES : world.settings.maxLiveChildren,
    ...(open ? { page_children: world.settings.maxLiveChildren } : {}),
    max_depth: world.settings.maxDepth,
    ...traced(world, id, traceparent),
    ...(quotaKey ? { key: quotaKey } : {}),
  }
  const created = await create(world, tenant, spec, webhook.secret)
  // Two requests with the same key can both reach this point. One creates the fan-out, and both get
  // the same response.
  if (!created.fresh) return ok(await replayedAnswer(world, tenant, created.run))
  const webhook_secret = webhook.generated
  return ok({ fanout: created.run, replayed: false, webhook_secret })
}

/** Collects the warnings that apply to all tasks of a fan-out request. */
const orderWarningsOf = (world: World, request: FanoutRequest, count: number) =>
  orderWarnings(world, request).map((warning) => {
    return { ...warning, tasks: Array.from({ length: count }, (_, index) => index) }
  })

/** Returns the fan-out's optional members, which most fan-outs do not have. */
const about = ({ label, metadata, subject, limits }: FanoutRequest): Partial<FanoutSpec> => ({
  ...(label === undefined ? {} : { label }),
  ...(metadata === undefined ? {} : { metadata }),
  ...(subject === undefined ? {} : { subject }),
  ...(limits === undefined || !isBudget(limits)
    ? {}
    : {
        limits: {
          max_tokens: limits.max_tokens ?? null,
          max_model_calls: limits.max_model_calls ?? null,
          ...(limits.max_cost_usd === undefined ? {} : { max_cost_usd: limits.max_cost_usd }),
        },
      }),
})

/** Rejects an open fan-out that already lists tasks or does not wait for all tasks. */
function openRefused({ open, tasks, join }: FanoutRequest): Outcome<never, Refusal> | undefined {
  const refuse = (pointer: string, message: string) =>
    fail(refusal('invalid_request', `${pointer}: ${message}.`, { errors: [{ pointer, message }] }))
  if (open !== true) return tasks ? undefined : refuse('/tasks', 'required unless `open` is true')
  if ((tasks ?? []).length > 0) {
    return refuse(
      '/tasks',
      'an open fan-out receives its tasks through POST /v1/fanouts/{id}/tasks',
    )
  }
  if (join === undefined || join.policy === 'all') return undefined
  return refuse('/join/policy', 'an open fan-out must wait for all of its tasks or its deadline')
}

async function create(world: World, tenant: string, spec: FanoutSpec, secret: string | null) {
  const partition = fanoutPartition(tenant, spec.id)
  const rows = secretRows(secret)
  const facts: FanoutFact[] = [{ type: 'fanout.created', fanout: spec }]
  return createLog(world, fanoutLogType, partition, facts, {
    list: (state) => ({
      under: fanoutsList(tenant),
      at: `${iso(state.created_at)} ${spec.id}`,
    }),
    extra: rows,
    wakes: true,
  })
}

const SHOWN_CHARACTERS = 200

/** Stores the task bodies sequentially, so that a context shared by tasks is written once. */
export async function plansOf(
  world: World,
  home: Home,
  tasks: readonly JudgedTask[],
): Promise<TaskPlan[]> {
  const plans: TaskPlan[] = []
  for (const { task, context, media = [], ...plan } of tasks) {
    const input =
      media.length === 0
        ? await spillMessage(world, home, task, context)
        : await spillSaid(world, home, { text: firstMessage(task, context), media })
    plans.push({ ...plan, task: task.slice(0, SHOWN_CHARACTERS), input })
  }
  return plans
}

async function replay(
  world: World,
  tenant: string,
  reservation: Reservation,
): Promise<Outcome<AcceptedFanout, Refusal> | undefined> {
  const fanout = await readFanout(world, fanoutPartition(tenant, reservation.id))
  if (fanout) return ok(await replayedAnswer(world, tenant, fanout))
  const rejection = await goneRefused(world, tenant, reservation, 'fan-out')
  return rejection && fail(rejection)
}

/**
 * Rebuilds the original response of a fan-out request. A generated secret is returned again,
 * because that response was lost.
 */
async function replayedAnswer(
  world: World,
  tenant: string,
  fanout: Fanout,
): Promise<AcceptedFanout> {
  const { id, webhook } = fanout.state.spec!
  const secret = webhook?.generated
    ? await storedSecret(world, fanoutPartition(tenant, id), id)
    : undefined
  return { fanout, replayed: true, webhook_secret: secret }
}
