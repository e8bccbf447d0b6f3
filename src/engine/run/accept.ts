/**
 * Accepts a run. Every possible rejection happens before anything is stored. Layers are resolved
 * here only if the request names a resource in them; the run resolves and pins them at its start.
 */

import type { LayerSelection } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Refusal } from '../../core/problem.ts'
import { CHILDREN_PER_OBJECT, sessionOf } from '../../core/run/decide/child.ts'
import type { Budget } from '../../core/run/log/fact-parts.ts'
import type { RunSpec, RunWebhook } from '../../core/run/log/facts.ts'
import { JOIN_DEFAULT, TERMINAL_FACTS } from '../../core/run/log/facts.ts'
import { shapeAsked } from '../../core/run/prompt/structured-output.ts'
import { warned } from '../../core/run/state/warning.ts'
import { type Traced, traceOf } from '../../core/trace/context.ts'
import { formatted } from '../../core/webhook/format.ts'
import { newSecret } from '../../core/webhook/signature.ts'
import { random, randomAmong } from '../../lib/id.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { canonicalOf } from '../../lib/url.ts'
import type { World } from '../../ports/world.ts'
import { createPrepared } from '../logs/prepared-run.ts'
import { readRun } from '../logs/run.ts'
import { storedSecret } from '../logs/webhook-secret.ts'
import { type Home, homeOf } from '../partition/home.ts'
import { runPartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { runInSession, sessionRefused } from '../session/take.ts'
import {
  lookUp,
  type RequestKey,
  type Reservation,
  refuseReservation,
  reserve,
} from '../tenant/idempotency.ts'
import { spillSaid } from '../tenant/media.ts'
import { requestKeyOf } from '../tenant/quota-owner.ts'
import { targetRefused } from '../webhook/target.ts'
import { type AnsweredInput, answerInput, deliverReserved } from './answer.ts'
import { beginFields, beginRefused, orderWarnings } from './begin.ts'
import { addedBy, callerToolsRefused } from './caller-tools.ts'
import { readInput, type SaidMessage } from './content.ts'
import { goneRefused } from './delete.ts'
import { judgeRequest, windowRefused } from './judge-request.ts'
import { quotaRejection, releaseRun } from './quota.ts'
import type { LimitsRequest, RunRequest, WebhookRequest } from './request.ts'

export interface Accepted {
  readonly run: Committed
  /** Whether an earlier request with the same idempotency key created the run. */
  readonly replayed: boolean
  /** Webhook secret that the server generated. Returned once, in the 202 response. */
  readonly webhook_secret: string | undefined
  /** Set if the input answered a question of an existing run instead of starting a run. */
  readonly answered?: AnsweredInput
}

/** Origin of the run request; `hops` of an inbound hook counts the hooks before it. */
export type Cause = Pick<RunSpec, 'kind' | 'hops' | 'key'> & {
  /** Value of the run request's `traceparent` header. */
  readonly traceparent?: string | undefined
}

/** Creates a single run for all requests with the same idempotency key (`requestKey`) and body. */
export async function acceptRun(
  world: World,
  tenant: string,
  submitted: RunRequest,
  requestKey?: RequestKey,
  { kind, hops, key: ofHook, traceparent }: Cause = { kind: 'main' },
): Promise<Outcome<Accepted, Refusal>> {
  const isThere = async (id: string): Promise<boolean> =>
    (await readRun(world, runPartition(tenant, id))) !== undefined
  const key = requestKey ? await lookUp(world, tenant, requestKey, isThere) : ok(undefined)
  if (!key.ok) return key
  const reservation = key.value?.reservation
  if (reservation && requestKey) {
    const earlierAnswer =
      (await deliverReserved(world, tenant, submitted, reservation, requestKey.key)) ??
      (await replay(world, tenant, reservation))
    if (earlierAnswer) return earlierAnswer
  }
  const judgment = await judgeRequest(world, tenant, submitted)
  if (!judgment.ok) return judgment
  const { request, layers, verdict } = judgment.value
  const wrong =
    webhookRefused(world, request.webhook) ??
    beginRefused(world, request) ??
    callerToolsRefused(request)
  if (wrong) return fail(wrong)
  const mayAnswer = kind === 'main' && !reservation
  const answer = mayAnswer ? await answerInput(world, tenant, submitted, key.value) : undefined
  if (answer) return answer
  const input = await readInput(world, tenant, request)
  if (!input.ok) return input
  const windowRejection = windowRefused(verdict.model, request, textsOf(input.value))
  if (windowRejection) return fail(windowRejection)
  const { session_id, on_busy: onBusy = 'enqueue' } = request
  if (requestKey && !reservation && session_id !== undefined) {
    const closed = await sessionRefused(world, tenant, session_id, onBusy)
    // A concurrent request with the same key may be the one that occupies the session.
    const since = closed ? await lookUp(world, tenant, requestKey) : undefined
    if (closed && !(since?.ok && since.value.reservation)) return fail(closed)
  }
  const affinity = world.place?.(tenant)
  const chance = world.clock.random(17)
  const fresh =
    affinity === undefined ? random('run', chance) : randomAmong('run', affinity, chance)
  const reserved = key.value ? await reserve(world, tenant, key.value, fresh) : ok({ id: fresh })
  if (!reserved.ok) return reserved
  if (requestKey && 'answers' in reserved.value) {
    const since = await deliverReserved(world, tenant, submitted, reserved.value, requestKey.key)
    if (since) return since
  }
  const { id } = reserved.value
  const quotaKey = ofHook ?? (await requestKeyOf(world))
  const exceeded = await quotaRejection(world, tenant, runPartition(tenant, id), quotaKey)
  // The idempotency key can be used again.
  if (exceeded && requestKey) await refuseReservation(world, tenant, requestKey)
  if (exceeded) return fail(exceeded)
  const webhook = await webhookOf(world, id, request.webhook, TERMINAL_FACTS)
  const { agent, warnings } = verdict
  const home = homeOf(tenant, id)
  const messages = await storeMessages(world, home, input.value)
  const resolved = { ...request, agent }
  const baseSpec = specOf(world, id, resolved, layers, webhook.webhook, messages)
  const added = await addedBy(world, home, request)
  const cause = { ...(hops === undefined ? {} : { hops }), ...traced(world, id, traceparent) }
  const origin = { ...cause, ...(quotaKey ? { key: quotaKey } : {}) }
  const spec = { ...baseSpec, ...added, kind, ...origin, ...beginFields(world, request) }
  const more = warned([...warnings, ...orderWarnings(world, request)])
  const pinned = { spec: { ...spec, ...more }, secret: webhook.secret }
  const shared = requestKey !== undefined
  const creation =
    session_id !== undefined
      ? await runInSession(world, tenant, pinned, session_id, { onBusy, shared })
      : ok(await createPrepared(world, tenant, pinned))
  if (!creation.ok) {
    // A concurrent request with the same key may still create the run.
    if (requestKey && creation.error.code === 'unavailable') return creation
    // Another run has entered the session since the session was read.
    if (requestKey) await refuseReservation(world, tenant, requestKey)
    await releaseRun(world, tenant, runPartition(tenant, id), quotaKey)
    return creation
  }
  const created = creation.value
  // Two requests with the same key can both reach this point. Both get the same response.
  if (!created.fresh) return ok(await accepted(world, tenant, created.run))
  return ok({ run: created.run, replayed: false, webhook_secret: webhook.generated })
}

const textsOf = (input: readonly SaidMessage[]) => input.map(({ said: { text } }) => text)

/** Returns the trace member of a run or fan-out without a parent. */
export const traced = ({ traces }: World, id: string, traceparent?: string): Traced =>
  traceOf(id, traceparent, traces !== undefined)

async function replay(
  world: World,
  tenant: string,
  reservation: Reservation,
): Promise<Outcome<Accepted, Refusal> | undefined> {
  const run = await readRun(world, runPartition(tenant, reservation.id))
  if (run) return ok(await accepted(world, tenant, run))
  const rejection = await goneRefused(world, tenant, reservation, 'run')
  return rejection && fail(rejection)
}

/** Rebuilds the original response, which was lost, with a generated secret. */
async function accepted(world: World, tenant: string, run: Committed): Promise<Accepted> {
  const answer = { run, replayed: true, webhook_secret: undefined }
  const { id, webhook } = run.state.spec!
  if (!webhook?.generated) return answer
  return { ...answer, webhook_secret: await storedSecret(world, runPartition(tenant, id), id) }
}

interface WebhookParts {
  readonly webhook: RunWebhook | null
  /** Sealed secret of the run's webhook. */
  readonly secret: string | null
  readonly generated: string | undefined
}

/** Explains why a webhook is rejected, before the idempotency key is reserved. */
export const webhookRefused = (
  world: World,
  request: WebhookRequest | undefined,
): Refusal | undefined => request && targetRefused(world, request, '/webhook')

/** Seals the webhook secret for its owner's partition. The secret is never part of a fact. */
export async function webhookOf(
  world: World,
  runId: string,
  request: WebhookRequest | undefined,
  defaults: readonly string[],
): Promise<WebhookParts> {
  if (!request) return { webhook: null, secret: null, generated: undefined }
  const secret = request.secret ?? newSecret(world.clock.random(32))
  const sealed = await world.secrets.seal(secret, runId)
  const generated = request.secret === undefined
  return {
    webhook: {
      url: canonicalOf(request.url),
      events: request.events ?? defaults,
      generated,
      ...formatted(request),
    },
    secret: sealed,
    generated: generated ? secret : undefined,
  }
}

export function specOf(
  world: World,
  id: string,
  request: RunRequest,
  layers: LayerSelection,
  webhook: RunWebhook | null,
  input: RunSpec['input'],
): RunSpec {
  return {
    id,
    kind: 'main',
    lane: 'main',
    session_id: sessionOf(id),
    turn: null,
    root_run_id: id,
    depth: 0,
    parent: null,
    agent: request.agent ?? 'general',
    agent_entry: null,
    label: request.label ?? null,
    role: layers.role ?? null,
    repo_dir: layers.repo_dir ?? null,
    base_dir: layers.base_dir ?? null,
    model: request.model ?? null,
    inherited_model: null,
    ...(world.settings.placesByKin ? { kin: CHILDREN_PER_OBJECT } : {}),
    tools: request.tools ?? null,
    disallowed_tools: request.disallowed_tools ?? [],
    mcp_config_path: layers.mcp_config_path ?? null,
    mcp_servers: layers.mcp_servers ?? null,
    strict: layers.strict ?? false,
    on_duplicate: layers.on_duplicate ?? 'shadow',
    join: request.join ?? JOIN_DEFAULT,
    limits: {
      max_steps: request.limits?.max_steps ?? null,
      timeout_seconds: request.limits?.timeout_seconds ?? null,
      ...patience(request.limits),
      max_tokens: request.limits?.max_tokens ?? null,
      max_model_calls: request.limits?.max_model_calls ?? null,
      ...dollars(request.limits),
      max_children: request.limits?.max_children ?? LIMITS.children_per_run,
      live_children: world.settings.maxLiveChildren,
      max_depth: world.settings.maxDepth,
    },
    webhook,
    ...shapeAsked(request),
    ...(request.model_settings ? { model_settings: request.model_settings } : {}),
    ...(request.approvals ? { approvals: request.approvals } : {}),
    metadata: request.metadata ?? {},
    ...(request.subject === undefined ? {} : { subject: request.subject }),
    input,
  }
}

const patience = ({ model_patience_seconds }: LimitsRequest = {}) =>
  model_patience_seconds === undefined ? {} : { model_patience_seconds }

/** Returns the dollar budget of a request; omitted from logs of runs without such a budget. */
const dollars = ({ max_cost_usd }: LimitsRequest = {}): Budget =>
  max_cost_usd === undefined ? {} : { max_cost_usd }

/** Stores message parts that do not fit into a row. */
const storeMessages = (world: World, home: Home, messages: readonly SaidMessage[]) =>
  Promise.all(
    messages.map(async ({ role, said: text }) => ({
      role,
      text: await spillSaid(world, home, text),
    })),
  )
