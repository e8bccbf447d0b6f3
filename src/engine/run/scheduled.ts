/**
 * Creates the run of a schedule slot once, by name. No client can receive a rejection, so a
 * rejection ends the run instead. Each fire is therefore one run, visible to lists, webhooks, and
 * the schedule.
 */

import type { Refusal } from '../../core/problem.ts'
import type { RunError } from '../../core/run/log/facts.ts'
import { TERMINAL_FACTS } from '../../core/run/log/facts.ts'
import type { RunSpec } from '../../core/run/log/spec.ts'
import type { QuotaKey } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import { selection } from '../layers/selection.ts'
import { createPrepared } from '../logs/prepared-run.ts'
import { createRun } from '../logs/run.ts'
import { secretRows } from '../logs/webhook-secret.ts'
import { homeOf } from '../partition/home.ts'
import { runPartition } from '../partition/keys.ts'
import { findSession } from '../session/store.ts'
import { subjectIn } from '../session/subject.ts'
import { runInSession } from '../session/take.ts'
import { spillSaid } from '../tenant/media.ts'
import { readPolicy } from '../tenant/policy.ts'
import { specOf, traced, webhookOf } from './accept.ts'
import { quotaRejection } from './quota.ts'
import type { RunRequest } from './request.ts'

export interface ScheduledRequest {
  readonly id: string
  readonly request: RunRequest & { readonly input: string }
  readonly schedule: NonNullable<RunSpec['schedule']>
  /** API key whose quotas count the run; absent if none does. */
  readonly key?: QuotaKey | undefined
}

/**
 * Creates the run of a schedule slot; returns the reason of a temporary failure, and otherwise
 * undefined. With `isLast`, such a failure ends the run.
 */
export async function createScheduled(
  world: World,
  tenant: string,
  { id, request: scheduled, schedule, key }: ScheduledRequest,
  isLast: boolean,
): Promise<string | undefined> {
  const { session_id } = scheduled
  const session =
    session_id === undefined ? undefined : await findSession(world, tenant, session_id)
  const subject = subjectIn(session?.state, scheduled.subject)
  const request = subject.ok ? { ...scheduled, subject: subject.value } : scheduled
  const layers = selection(request)
  const { policy } = await readPolicy(world, tenant)
  const layerOptions = layers.ok ? layers.value : {}
  const { strict = policy.strict, on_duplicate = policy.on_duplicate } = layerOptions
  const webhook = await webhookOf(world, id, request.webhook, TERMINAL_FACTS)
  const content = { text: request.input, media: [] }
  const text = await spillSaid(world, homeOf(tenant, id), content)
  const input = [{ role: 'user', text }] as const
  const effective = { ...layerOptions, strict, on_duplicate }
  const baseSpec = specOf(world, id, request, effective, webhook.webhook, input)
  const origin = { schedule, ...traced(world, id), ...(key ? { key } : {}) }
  const spec: RunSpec = { ...baseSpec, kind: 'schedule', lane: 'background', ...origin }
  const { secret } = webhook
  const failing = async (error: RunError): Promise<undefined> => {
    const failed = { type: 'run.failed', stop_reason: 'error', error } as const
    const extra = secretRows(secret)
    await createRun(world, tenant, id, [{ type: 'run.created', run: spec }, failed], {
      extra,
      wakes: true,
    })
  }
  if (!layers.ok) return failing({ code: layers.error.code, message: layers.error.detail })
  if (!subject.ok) return failing({ code: subject.error.code, message: subject.error.detail })
  const exceeded = await quotaRejection(world, tenant, runPartition(tenant, id), key)
  if (exceeded && !isLast) return reasonOf(exceeded)
  if (exceeded) return failing({ code: exceeded.code, message: exceeded.detail })
  if (session_id === undefined) {
    await createPrepared(world, tenant, { spec, secret })
    return undefined
  }
  const joining = { onBusy: 'enqueue', shared: true } as const
  const created = await runInSession(world, tenant, { spec, secret }, session_id, joining)
  if (created.ok) return undefined
  const { code, detail } = created.error
  if (code !== 'not_found' && !isLast) return reasonOf(created.error)
  return failing({ code, message: detail })
}

const reasonOf = ({ code, detail }: Refusal): string => `${code}: ${detail}`
