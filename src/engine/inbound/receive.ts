/**
 * Receives an inbound webhook: verified over its raw bytes before anything is parsed, rendered into
 * a task, accepted like any other request for a run. Answered only once that run is durable; the
 * same message again finds the run that it has started.
 */

import { LRUCache } from 'lru-cache'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { signing } from '../../core/webhook/endpoint.ts'
import type { InboundHook } from '../../core/webhook/inbound.ts'
import { openHook, startsRun } from '../../core/webhook/inbound.ts'
import type { Opened } from '../../core/webhook/opened.ts'
import { newSecret } from '../../core/webhook/signature.ts'
import type { InboundHeaders } from '../../core/webhook/signed.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { sendSeal } from '../audit/seal.ts'
import { hookPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { acceptRun } from '../run/accept.ts'
import type { Cause } from '../run/origin.ts'
import { auditRow } from '../tenant/audit.ts'
import { suspendedRefusal } from '../tenant/state.ts'
import { hopsIn, isLoop } from '../webhook/hops.ts'
import { runOf } from './request.ts'
import { readHook, type StoredInboundHook } from './store.ts'

export interface Received {
  /** Null: it starts no run. */
  readonly run_id: string | null
  /** It had come before. */
  readonly replayed: boolean
  /** To be answered to the sender. */
  readonly challenge?: string
}

export async function receiveHook(
  world: World,
  id: string,
  request: { readonly headers: InboundHeaders; readonly body: Uint8Array },
): Promise<Outcome<Received, Refusal>> {
  const stored = await readHook(world, id)
  const digest = sha256(request.body)
  const opened = await open(world, stored, { ...request, digest })
  if (!stored || !opened) return fail(unverified(world, id))
  failuresOf(world.store).delete(id)
  if (opened === 'invalid_json') {
    return fail(
      refusal('invalid_json', 'The signature is right, the body is no JSON that is taken here.'),
    )
  }
  const { hook } = stored
  const suspended = await suspendedRefusal(world, hook.tenant)
  if (suspended) return fail(suspended)
  if (!startsRun(hook, opened.event)) {
    const { challenge } = opened
    return ok({ run_id: null, replayed: false, ...(challenge === undefined ? {} : { challenge }) })
  }
  const hops = await hopsIn(world, request.headers)
  if (isLoop(hops)) {
    await alarm(world, hook)
    const detail = `The message has come through ${hops} hooks: a webhook ends where it began.`
    return fail(refusal('hook_loop', detail))
  }
  const { traceparent: header } = request.headers
  const traceparent = typeof header === 'string' ? header : undefined
  return start(world, hook, { ...opened, hops, traceparent }, digest)
}

async function open(
  world: World,
  stored: StoredInboundHook | undefined,
  request: Parameters<typeof openHook>[1],
): Promise<Opened | 'invalid_json' | undefined> {
  if (!stored) return standIn(world, request)
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

const standInOf = processMemory('standIn', (): { sealed?: Promise<string> } => ({}))
const STAND_IN = 'no hook'

/**
 * The same work for a hook that there is not, with a secret that nobody knows: how long an answer
 * takes tells a stranger no more than the answer itself which ids are hooks.
 */
async function standIn(world: World, request: Parameters<typeof openHook>[1]): Promise<undefined> {
  const memory = standInOf(world.store)
  memory.sealed ??= world.secrets.seal(newSecret(world.clock.random(32)), STAND_IN)
  const secret = await world.secrets.open(await memory.sealed, STAND_IN)
  const scheme = 'x-hub-signature-256' in request.headers ? 'github' : 'standard'
  openHook({ scheme, public_keys: [] }, request, [secret ?? ''], world.clock.now())
}

async function start(
  world: World,
  hook: InboundHook,
  opened: Opened & Pick<Cause, 'traceparent'> & { readonly hops: number },
  digest: string,
): Promise<Outcome<Received, Refusal>> {
  const request = runOf(hook, opened)
  if (!request.ok) return request
  // The message names the run: three at the same moment are one, and so is one that comes again.
  const keyed = { scope: `hook ${hook.id}`, key: opened.once, body: opened.same ?? digest }
  const accepted = await acceptRun(world, hook.tenant, request.value, keyed, {
    kind: 'hook',
    hops: opened.hops,
    traceparent: opened.traceparent,
    untrusted: { kind: 'hook', name: hook.id },
  })
  if (accepted.ok) {
    const { run, replayed } = accepted.value
    return ok({ run_id: run.state.spec!.id, replayed })
  }
  if (accepted.error.code !== 'idempotency_mismatch') return accepted
  await alarm(world, hook)
  return fail(refusal('idempotency_mismatch', 'Another body has come under this id.'))
}

/**
 * In the audit: a right signature over another body under a known id (somebody has the secret, or a
 * bug), or a chain of inbound hooks that has no end.
 */
async function alarm(world: World, hook: InboundHook): Promise<void> {
  const entry = { kind: 'hook', name: hook.id, action: 'refuse', by: 'system', number: 0 } as const
  await world.store.commit(hookPartition(hook.id), [auditRow(world, hook.tenant, entry)])
  await sendSeal(world, hook.tenant)
}

/**
 * Wrong signatures by id, in this process; a right one forgets them. An unknown id counts too: an
 * answer that comes only for inbound hooks would tell a stranger which ids are hooks.
 */
const IDS = 10_000
const failuresOf = processMemory(
  'signatures',
  () => new LRUCache<string, { count: number; readonly until: number }>({ max: IDS }),
)
const FAILURES_MAX = 20
const FAILURES_MS = 60_000

/** Never says what was wrong; after many in a minute only that there were too many. */
function unverified(world: World, id: string): Refusal {
  const said = refusal('invalid_signature', 'The signature is not one that this hook believes.')
  const counts = failuresOf(world.store)
  const now = world.clock.monotonic()
  const known = counts.get(id)
  const fresh = { count: 0, until: now + FAILURES_MS }
  const counted = known && now < known.until ? known : fresh
  counted.count += 1
  counts.set(id, counted)
  if (counted.count <= FAILURES_MAX) return said
  return refusal('rate_limited', 'Too many wrong signatures.')
}
