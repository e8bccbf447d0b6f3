/**
 * Calls of models within the tokens and dollars that the tenant's operator allows a day and a
 * month: reserved before, settled after. Tenants without such a limit pass at once.
 */

import { LIMITS } from '../../../core/limits.ts'
import type { Usage } from '../../../core/message.ts'
import type { Price } from '../../../core/policy.ts'
import { listPrice } from '../../../core/run/budget.ts'
import type { StepModel } from '../../../core/run/models.ts'
import { limitsDollars, type TenantLimits } from '../../../core/tenant-limits.ts'
import { base32 } from '../../../lib/id.ts'
import { fail, type Outcome } from '../../../lib/outcome.ts'
import type { ModelAnswer, ModelFailure, ModelRequest } from '../../../ports/world.ts'
import { noPrice } from '../../tenant/policy.ts'
import { noteRefusal } from '../../tenant/quota.ts'
import {
  type Amount,
  limitsSpending,
  type Reservation,
  reserveSpending,
  settleSpending,
  type Wanted,
} from '../../tenant/spending.ts'
import { tenantLimits } from '../../tenant/state.ts'
import type { Context } from './context.ts'
import { estimatedTokens } from './request.ts'

type Answer = Outcome<ModelAnswer, ModelFailure>

/** Calls under way have reserved what is left: the step stays due, and is begun anew. */
export class QuotaBusy extends Error {
  override readonly name = 'QuotaBusy'
}

/** So often, and then by a new pass: a worker is not kept for what may take minutes. */
const WAITS = 10
const WAIT_MS = 200
const WAIT_MAX_MS = 5_000
/** An answer that is cut off before is of no use. */
const LEAST_OUTPUT = 100

/** `price`: of the model of the request, as the run counts it. */
export async function metered(
  context: Context,
  request: ModelRequest,
  price: Price | undefined,
  respond: (request: ModelRequest) => Promise<Answer>,
): Promise<Answer> {
  const known = tenantLimits(context.world, context.tenant)
  if (known === undefined) return respond(request)
  const limits = await known
  if (!limits || !limitsSpending(limits)) return respond(request)
  if (price === undefined && limitsDollars(limits)) return overQuota(noPrice(request.model))
  const wanted = wantedBy(request, price)
  const held = await reserved(context, limits, wanted)
  if (held.kind === 'refused') {
    noteRefusal(context.world, context.tenant, held.refusal)
    return overQuota(held.refusal.detail)
  }
  const { id, output } = held
  const isCapped = output < wanted.output
  let answer: Answer
  try {
    answer = await respond(isCapped ? capped(request, output) : request)
  } catch (error) {
    await settle(context, id, undefined)
    throw error
  }
  await settle(context, id, spentBy(answer, price))
  return isCapped ? warnedOf(answer, output) : answer
}

/** Why the models of a run keep no limit of dollars of its tenant; undefined: they do, or none is set. */
export async function lacksPrice(
  { world, tenant }: Pick<Context, 'world' | 'tenant'>,
  chain: readonly StepModel[],
): Promise<string | undefined> {
  const known = tenantLimits(world, tenant)
  const limits = known === undefined ? undefined : await known
  if (!limits || !limitsDollars(limits)) return undefined
  const lacking = chain.find(({ price }) => price === undefined)
  return lacking && noPrice(lacking.model)
}

const overQuota = (message: string): Answer =>
  fail({ code: 'over_quota', message, retryable: false })

function wantedBy(request: ModelRequest, price: Price | undefined): Wanted {
  const { max_output_tokens, thinking_budget = 0 } = request.settings ?? {}
  const output = (max_output_tokens ?? LIMITS.quota_output_tokens) + thinking_budget
  const least = Math.min(output, LEAST_OUTPUT + thinking_budget)
  return { input: estimatedTokens(request), output, least, price }
}

async function reserved(
  { world, tenant, signal, state }: Context,
  limits: TenantLimits,
  wanted: Wanted,
): Promise<Exclude<Reservation, { kind: 'busy' }>> {
  const id = base32(world.clock.random(13), 20)
  for (let wait = 0; wait < WAITS; wait += 1) {
    const found = await reserveSpending(world, tenant, limits, { ...wanted, id })
    if (found.kind !== 'busy') return found
    await world.clock.sleep(Math.min(WAIT_MAX_MS, WAIT_MS * 2 ** wait), signal)
    if (signal.aborted) break
  }
  const run = state.spec?.id
  world.log?.write({ level: 'info', event: 'quota.waiting', tenant, run })
  throw new QuotaBusy()
}

/** Nobody is failed by it: what is not settled counts as it was reserved, after a while. */
async function settle(
  { world, tenant, state }: Context,
  id: string,
  spent: Amount | undefined,
): Promise<void> {
  try {
    await settleSpending(world, tenant, id, spent)
  } catch (error) {
    const run = state.spec?.id
    const message = error instanceof Error ? error.message : String(error)
    world.log?.write({ level: 'warn', event: 'quota.unsettled', tenant, run, message })
  }
}

/** Undefined: nobody knows, because it was ended under way. */
function spentBy(answer: Answer, price: Price | undefined): Amount | undefined {
  if (answer.ok) return amountOf(answer.value.usage, price)
  const { usage, code } = answer.error
  if (usage) return amountOf(usage, price)
  return code === 'aborted' ? undefined : { tokens: 0, dollars: 0 }
}

const amountOf = (usage: Usage, price: Price | undefined): Amount => ({
  tokens: usage.input_tokens + usage.output_tokens,
  dollars: listPrice(price, usage).list_price ?? 0,
})

/** With a shorter answer, as no more is left. */
function capped(request: ModelRequest, output: number): ModelRequest {
  const { thinking_budget = 0 } = request.settings ?? {}
  return {
    ...request,
    settings: { ...request.settings, max_output_tokens: output - thinking_budget },
  }
}

function warnedOf(answer: Answer, output: number): Answer {
  if (!answer.ok) return answer
  const sentence = `its answer was bounded to ${output} tokens: the tenant's limits leave no more`
  const warnings = [...(answer.value.warnings ?? []), sentence]
  return { ...answer, value: { ...answer.value, warnings } }
}
