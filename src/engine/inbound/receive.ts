/**
 * Receives an inbound webhook: verifies the raw bytes before parsing, renders a task, and accepts
 * it like any other run request. The response is sent once the run is durable. A repeated message
 * returns the same run.
 */

import { LRUCache } from 'lru-cache'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { signing } from '../../core/webhook/endpoint.ts'
import type { InboundHook } from '../../core/webhook/inbound.ts'
import { openHook, startsRun } from '../../core/webhook/inbound.ts'
import type { Opened } from '../../core/webhook/inbound-message.ts'
import type { InboundHeaders } from '../../core/webhook/standard-webhooks.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { requestSeal } from '../audit/request-seal.ts'
import { hookPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { acceptRun, type Cause } from '../run/accept.ts'
import { auditRow } from '../tenant/audit.ts'
import { chargeTenant } from '../tenant/request-rates.ts'
import { suspendedRefusal } from '../tenant/state.ts'
import { hopsIn, isLoop } from '../webhook/hops.ts'
import { readHook, type StoredInboundHook } from './store.ts'
import { taskOf } from './task.ts'

export interface Received {
  /** ID of the started run; null if the message starts none. */
  readonly run_id: string | null
  /** Whether the message was already received. */
  readonly replayed: boolean
  /** Challenge to return to the message's sender. */
  readonly challenge?: string
}

/** Rejection of a message; `retry_seconds` is the time until the rate limit has capacity. */
export type HookRefusal = Refusal & { readonly retry_seconds?: number }

export async function receiveHook(
  world: World,
  id: string,
  request: { readonly headers: InboundHeaders; readonly body: Uint8Array },
): Promise<Outcome<Received, HookRefusal>> {
  const stored = await readHook(world, id)
  const digest = sha256(request.body)
  const opened = await open(world, stored, { ...request, digest })
  if (!stored || !opened) return fail(unverified(world, id))
  failuresOf(world.store).delete(id)
  const { hook } = stored
  const suspended = await suspendedRefusal(world, hook.tenant)
  if (suspended) return fail(suspended)
  const full = await limited(world, hook.tenant, 'requests')
  if (full) return fail(full)
  if (opened === 'invalid_json') {
    return fail(refusal('invalid_json', `The signature is valid, ${unreadable(request.headers)}.`))
  }
  if (!startsRun(hook, opened.event)) {
    const { challenge } = opened
    return ok({ run_id: null, replayed: false, ...(challenge === undefined ? {} : { challenge }) })
  }
  const hops = await hopsIn(world, request.headers)
  if (isLoop(hops)) {
    await alarm(world, hook)
    const detail = `The message has passed through ${hops} hooks; the webhook forms a loop.`
    return fail(refusal('hook_loop', detail))
  }
  const { traceparent: header } = request.headers
  const traceparent = typeof header === 'string' ? header : undefined
  const exceeded = await limited(world, hook.tenant, 'run_starts')
  return exceeded ? fail(exceeded) : start(world, hook, { ...opened, hops, traceparent }, digest)
}

const LIMITED = { requests: 'requests', run_starts: 'run starts' } as const

/**
 * Applies the tenant's rate limit to a signed message. Unsigned messages use no capacity of the
 * tenant.
 */
async function limited(
  world: World,
  tenant: string,
  kind: keyof typeof LIMITED,
): Promise<HookRefusal | undefined> {
  const seconds = await chargeTenant(world, tenant, kind)
  if (seconds === undefined) return undefined
  const detail = `The tenant has reached its limit of ${LIMITED[kind]}; retry in ${seconds} s.`
  return { ...refusal('rate_limited', detail), retry_seconds: seconds }
}

/** Explains an unreadable body. Senders can set the content type; some default to a form. */
export function unreadable({ 'content-type': type }: InboundHeaders): string {
  const [, form] = (typeof type === 'string' && FORM.exec(type)) || []
  return form === undefined
    ? 'but this hook does not accept the body as JSON'
    : `but the body is a form (${form.toLowerCase()}) without JSON in \`payload\`; set the ` +
        'content type of the webhook to application/json'
}
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i

async function open(
  world: World,
  stored: StoredInboundHook | undefined,
  request: Parameters<typeof openHook>[1],
): Promise<Opened | 'invalid_json' | undefined> {
  if (!stored) return undefined
  const { hook } = stored
  const now = world.clock.now()
  const believed = signing(stored.secrets, now).map(({ sealed }) =>
    world.secrets.open(sealed, hook.id),
  )
  const secrets = (await Promise.all(believed)).filter((secret) => secret !== undefined)
  const opened = openHook(hook, request, secrets, now)
  if (opened.ok) return opened.value
  return opened.error === 'invalid_json' ? 'invalid_json' : undefined
}

async function start(
  world: World,
  hook: InboundHook,
  opened: Opened & Pick<Cause, 'traceparent'> & { readonly hops: number },
  digest: string,
): Promise<Outcome<Received, Refusal>> {
  const task = taskOf(hook, opened)
  if (!task.ok) return task
  // The run ID derives from the message, so that concurrent and repeated copies start one run.
  const requestKey = { scope: `hook ${hook.id}`, key: opened.once, body: opened.same ?? digest }
  const accepted = await acceptRun(world, hook.tenant, task.value.request, requestKey, {
    kind: 'hook',
    hops: opened.hops,
    ...(hook.key && { key: hook.key }),
    traceparent: opened.traceparent,
  })
  if (accepted.ok) {
    const { run, replayed } = accepted.value
    return ok({ run_id: run.state.spec!.id, replayed })
  }
  if (accepted.error.code !== 'idempotency_mismatch') return accepted
  await alarm(world, hook)
  return fail(
    refusal('idempotency_mismatch', 'A different body was already received with this ID.'),
  )
}

/**
 * Writes to the audit log that a message was rejected. Either a valid signature covered another
 * body under a known ID (a leaked secret or a bug), or inbound hooks form an endless chain.
 */
async function alarm(world: World, hook: InboundHook): Promise<void> {
  const entry = { kind: 'hook', name: hook.id, action: 'refuse', by: 'system', number: 0 } as const
  await world.store.commit(hookPartition(hook.id), [auditRow(world, hook.tenant, entry)])
  await requestSeal(world, hook.tenant)
}

/**
 * Number of hook IDs for which this process counts wrong signatures. A valid signature resets a
 * count. Unknown IDs count too, because a distinct response would reveal which IDs exist.
 */
const IDS = 10_000
const failuresOf = processMemory(
  'signatures',
  () => new LRUCache<string, { count: number; readonly until: number }>({ max: IDS }),
)
const FAILURES_MAX = 20
const FAILURES_MS = 60_000

/**
 * Rejects an unverified message without a reason. After many failures in a minute, the response
 * only states that there were too many.
 */
function unverified(world: World, id: string): Refusal {
  const rejection = refusal(
    'invalid_signature',
    "The signature does not match any of this hook's keys.",
  )
  const counts = failuresOf(world.store)
  const now = world.clock.monotonic()
  const previous = counts.get(id)
  const fresh = { count: 0, until: now + FAILURES_MS }
  const counter = previous && now < previous.until ? previous : fresh
  counter.count += 1
  counts.set(id, counter)
  if (counter.count <= FAILURES_MAX) return rejection
  return refusal('rate_limited', 'Too many invalid signatures.')
}
