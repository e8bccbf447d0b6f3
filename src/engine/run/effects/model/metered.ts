/**
 * Model calls under quotas of tokens and dollars: the maximum cost is reserved before a call, and
 * the actual cost is recorded after it. Calls without such quotas are not measured.
 */

import { LIMITS } from '../../../../core/limits.ts'
import type { Usage } from '../../../../core/message.ts'
import type { Price } from '../../../../core/policy.ts'
import { listPrice } from '../../../../core/run/state/budget.ts'
import { limitsDollars, limitsUsage } from '../../../../core/tenant-quotas.ts'
import { BYTES_PER_TOKEN } from '../../../../core/usage.ts'
import { base32 } from '../../../../lib/id.ts'
import { fail, type Outcome } from '../../../../lib/outcome.ts'
import type { ModelAnswer, ModelFailure, ModelRequest } from '../../../../ports/world.ts'
import { type QuotaOwner, quotaOwners } from '../../../tenant/quota-owner.ts'
import { TenantHalted } from '../../../tenant/state.ts'
import {
  type Amount,
  type CallCost,
  type Reservation,
  reserveUsage,
  settleUsage,
  ZERO,
} from '../../../tenant/usage-quota.ts'
import { reportExceeded } from '../../../webhook/quota-exceeded.ts'
import type { Context } from '../context.ts'
import { sizeOf } from '../prompt/request.ts'

type Answer = Outcome<ModelAnswer, ModelFailure>

/** Number of waits for calls in progress before the run is parked, and the first wait. */
const WAITS = 5
const WAIT_MS = 100
/** Length in tokens below which an answer is useless. */
const LEAST_ANSWER = 100

/** Calls a model within the tenant's quotas; `price` is the model's list price. */
export async function metered(
  context: Context,
  request: ModelRequest,
  price: Price | undefined,
  respond: (request: ModelRequest) => Promise<Answer>,
): Promise<Answer> {
  const all = await quotaOwners(context.world, context.tenant, context.state.spec?.key)
  const owners = all.filter(({ quotas }) => limitsUsage(quotas))
  if (owners.length === 0) return respond(request)
  if (price === undefined && owners.some(({ quotas }) => limitsDollars(quotas))) {
    const message = `The model ${request.model} has no price, which a quota of dollars requires.`
    return overQuota(message, false)
  }
  const call = costOf(request, price)
  const reservation = await reserveCall(context, owners, call)
  if (reservation.kind === 'busy') return overQuota(BUSY, true)
  if (reservation.kind === 'refused') {
    await reportExceeded(context.world, context.tenant, reservation.refusal)
    return overQuota(reservation.refusal.detail, false)
  }
  const { id, output } = reservation
  const settleAll = (used: Amount | undefined) => settle(context, owners, id, used)
  const isBounded = output < call.output
  let answer: Answer
  try {
    answer = await respond(isBounded ? bounded(request, output) : request)
  } catch (error) {
    // A pause of the tenant prevented the call.
    await settleAll(error instanceof TenantHalted ? ZERO : undefined)
    throw error
  }
  await settleAll(usedBy(answer, price))
  return isBounded ? withWarning(answer, output) : answer
}

const BUSY =
  'Model calls in progress have reserved the rest of a quota of the tenant or its API key.'

const overQuota = (message: string, retryable: boolean): Answer =>
  fail({ code: 'over_quota', message, retryable })

function costOf(request: ModelRequest, price: Price | undefined): CallCost {
  const { max_output_tokens, thinking_budget = 0 } = request.settings ?? {}
  const output = (max_output_tokens ?? LIMITS.quota_output_tokens) + thinking_budget
  const least = Math.min(output, LEAST_ANSWER + thinking_budget)
  return { input: Math.ceil(sizeOf(request) / BYTES_PER_TOKEN), output, least, price }
}

async function reserveCall(
  context: Context,
  owners: readonly QuotaOwner[],
  call: CallCost,
): Promise<Reservation> {
  const { world, signal } = context
  const id = base32(world.clock.random(13), 20)
  for (let wait = 0; ; wait += 1) {
    const reservation = await reserveAll(context, owners, { ...call, id })
    if (reservation.kind !== 'busy' || wait === WAITS || signal.aborted) return reservation
    await world.clock.sleep(WAIT_MS * 2 ** wait, signal)
  }
}

/** Reserves the cost under the quotas of all owners, or of none. */
async function reserveAll(
  context: Context,
  owners: readonly QuotaOwner[],
  call: CallCost & { readonly id: string },
): Promise<Reservation> {
  let { output } = call
  for (const [index, owner] of owners.entries()) {
    const reservation = await reserveUsage(context.world, owner, { ...call, output })
    if (reservation.kind !== 'reserved') {
      await settle(context, owners.slice(0, index), call.id, ZERO)
      return reservation
    }
    output = reservation.output
  }
  return { kind: 'reserved', id: call.id, output }
}

/** Records the cost; a failure is logged, and the reservation then counts as used. */
async function settle(
  { world, tenant, state }: Context,
  owners: readonly QuotaOwner[],
  id: string,
  used: Amount | undefined,
): Promise<void> {
  try {
    for (const owner of owners) await settleUsage(world, owner, id, used)
  } catch (error) {
    const run_id = state.spec?.id
    const message = error instanceof Error ? error.message : String(error)
    world.log?.write({ level: 'warn', event: 'quota.usage_unwritten', tenant, run_id, message })
  }
}

/** Returns the cost of an answer; undefined if it is unknown because the call was aborted. */
function usedBy(answer: Answer, price: Price | undefined): Amount | undefined {
  if (answer.ok) return amountOf(answer.value.usage, price)
  const { usage, code } = answer.error
  if (usage) return amountOf(usage, price)
  return code === 'aborted' ? undefined : ZERO
}

const amountOf = (usage: Usage, price: Price | undefined): Amount => ({
  tokens: usage.input_tokens + usage.output_tokens,
  dollars: listPrice(price, usage).list_price ?? 0,
})

function bounded(request: ModelRequest, output: number): ModelRequest {
  const { thinking_budget = 0 } = request.settings ?? {}
  const max_output_tokens = output - thinking_budget
  return { ...request, settings: { ...request.settings, max_output_tokens } }
}

function withWarning(answer: Answer, output: number): Answer {
  if (!answer.ok) return answer
  const sentence = `a quota limited the answer to ${output} tokens`
  const warnings = [...(answer.value.warnings ?? []), sentence]
  return { ...answer, value: { ...answer.value, warnings } }
}
