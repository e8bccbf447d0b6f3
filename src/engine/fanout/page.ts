/**
 * Creates and cancels the pages of an open fan-out; each page is a fan-out. Pages are created under
 * derived names, so that a retrying worker finds the existing page. They are cancelled whether or
 * not they have been created. Page ends arrive as mail, like the ends of runs (PROTOCOL.md rules 1,
 * 2, 16, 18).
 */

import { heldAtEnd, measuredPerByte, shareOf, slicedAs } from '../../core/fanout/budget.ts'
import { childOf, pageSpec } from '../../core/fanout/child.ts'
import type { FanoutFact, FanoutSpec, PageEnd } from '../../core/fanout/facts.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { taskCounts, taskOf } from '../../core/fanout/state.ts'
import { addUsage, NO_USAGE } from '../../core/message.ts'
import type { Budget, Sliced } from '../../core/run/log/fact-parts.ts'
import { allotted, perByte } from '../../core/run/state/budget.ts'
import { assert } from '../../lib/assert.ts'
import { iso } from '../../lib/time.ts'
import { fanoutLogType, readFanout } from '../logs/fanout.ts'
import { secretFor, secretRows } from '../logs/webhook-secret.ts'
import { commandLog } from '../partition/append.ts'
import { createLog, wakeLog } from '../partition/create.ts'
import { childrenList, fanoutPartition, mailKey } from '../partition/keys.ts'
import { readHeadCached } from '../partition/log.ts'
import type { ContextOf, EffectResult } from '../partition/log-type.ts'
import { post } from '../partition/mailbox.ts'
import { retryLater } from '../run/effects/context.ts'

type Context = ContextOf<FanoutState>

export async function performPage(
  context: Context,
  index: number,
): Promise<EffectResult<FanoutFact>> {
  const { state } = context
  const call = String(index)
  const spec = specOf(state, call, { ...shareOf(state), ...slicedAs(state) })
  const { run } = await create(context, spec, [{ type: 'fanout.created', fanout: spec }], true)
  const { id, parent, limits = {} } = run.state.spec!
  const { page } = parent!
  return { facts: [{ type: 'page.started', call, page, run_id: id, ...allotted(limits) }] }
}

function specOf(state: FanoutState, call: string, limits: Budget & Sliced): FanoutSpec {
  const page = taskOf(state, call)?.page
  assert(page, `page ${call} not found`)
  return pageSpec(state.spec!, call, page, limits)
}

/** Creates a page idempotently. An existing page of this name was created from the same tasks. */
async function create(
  context: Context,
  spec: FanoutSpec,
  facts: readonly FanoutFact[],
  wakes = false,
) {
  const { world, tenant } = context
  const { id } = context.state.spec!
  const secret = spec.webhook
    ? await secretFor(world, fanoutPartition(tenant, id), id, spec.id)
    : undefined
  return createLog(world, fanoutLogType, fanoutPartition(tenant, spec.id), facts, {
    list: ({ created_at }) => ({
      under: childrenList(tenant, id),
      at: `${iso(created_at)} ${spec.id}`,
    }),
    extra: secretRows(secret),
    wakes,
  })
}

const REASON = 'the fan-out stopped waiting'

/**
 * Cancels a page. A missing page is created with its cancellation in one commit, so that a later
 * creation fails.
 */
export async function performPageCancel(
  context: Context,
  call: string,
): Promise<EffectResult<FanoutFact>> {
  const { world, tenant, state } = context
  const partition = fanoutPartition(tenant, childOf(state.spec!, call))
  const requested = { type: 'cancel.requested', by: 'parent', reason: REASON } as const
  const acknowledged = { to: 'child', call } as const
  if (await commandLog(world, fanoutLogType, partition, [requested])) return { acknowledged }
  const spec = specOf(state, call, {})
  const children = { ...NO_TASKS, total: spec.count, cancelled: spec.count }
  const { run, fresh } = await create(context, spec, [
    { type: 'fanout.created', fanout: spec },
    { type: 'fanout.cancelled', reason: REASON, children, usage: NO_USAGE },
  ])
  if (fresh) await wakeLog(world, fanoutLogType, partition, run.state)
  // Another worker has created the page in the meantime, so an ordinary cancellation follows.
  else await commandLog(world, fanoutLogType, partition, [requested])
  return { acknowledged }
}
const NO_TASKS = { queued: 0, live: 0, completed: 0, failed: 0, cancelled: 0, timed_out: 0 }

/** Sends the end of a page to its fan-out as mail. */
export async function performPageEnd(context: Context): Promise<EffectResult<FanoutFact>> {
  const { world, tenant, state } = context
  const { id, parent } = state.spec!
  assert(parent, 'the fan-out is not a page; it has no parent to notify')
  const partition = fanoutPartition(tenant, parent.run_id)
  const head = await readHeadCached(world, partition)
  // A deleted fan-out does not need to be notified.
  if (!head) return { acknowledged: { to: 'parent' } }
  const { lane } = head.turn
  const mail: FanoutFact = { type: 'page.ended', call: parent.call, announce: endOf(state) }
  const key = mailKey(id)
  const isThere = () => arrived(context, partition, key)
  const posted = await post(world, { partition, key, mail, lane, news: 'mail', arrived: isThere })
  return posted === 'posted' ? { acknowledged: { to: 'parent' } } : retryLater(context)
}

async function arrived({ world, state }: Context, partition: string, key: string) {
  const { call } = state.spec!.parent!
  const fanout = await readFanout(world, partition)
  if (!fanout) return true
  const recordedEnd =
    taskOf(fanout.state, call)?.announce ?? fanout.state.late_results.ends[call] ?? null
  return recordedEnd !== null || fanout.mail.some((mail) => mail.key === key)
}

const endOf = (state: FanoutState): PageEnd => ({
  run_id: state.spec!.id,
  status: state.status as PageEnd['status'],
  error: state.error,
  children: taskCounts(state),
  ...(state.released?.reason === 'budget' ? { spent: true } : {}),
  usage: addUsage(state.usage, state.late_results.usage),
  ...heldAtEnd(state),
  ...perByte(measuredPerByte(state)),
})
