/**
 * Creates, changes, and deletes inbound hooks. A generated secret is returned once, in the response
 * to the request that created it. A replaced secret stays valid for one day.
 */

import { chooseLayers } from '../../core/config/layer/select.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { toolsRefused } from '../../core/tools/requested-tools.ts'
import type { SealedSecret } from '../../core/webhook/endpoint.ts'
import {
  broughtBy,
  firstOf,
  hasRotated,
  rotated,
  rotatesTooOften,
  withRotation,
} from '../../core/webhook/endpoint.ts'
import type { InboundHook, InboundHookChange, InboundHookRun } from '../../core/webhook/inbound.ts'
import { changedHook, DEFAULT_TEMPLATE } from '../../core/webhook/inbound.ts'
import { newSecret, publicKey, secretFault } from '../../core/webhook/signature.ts'
import { isPath, parseTemplate } from '../../core/webhook/template.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { selection } from '../layers/selection.ts'
import { hookPartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import { laterSubject } from '../session/subject.ts'
import type { Asker } from '../tenant/audit.ts'
import type { RequestKey } from '../tenant/idempotency.ts'
import { settleId } from '../tenant/idempotent-id.ts'
import { requestKeyOf } from '../tenant/quota-owner.ts'
import { freeSlot, type Slot } from '../tenant/resource-quota.ts'
import { tooOften } from '../webhook/endpoint/manage.ts'
import { reserveResource, resourceRefusal } from '../webhook/quota-exceeded.ts'
import { readHook, type StoredInboundHook, wasDeleted, writeHook } from './store.ts'

export interface HookRequest extends InboundHookRun {
  readonly scheme: InboundHook['scheme']
  readonly secret?: string | undefined
  readonly public_keys?: readonly string[] | undefined
  readonly template?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly description?: string | null | undefined
}

export interface HookShown {
  readonly hook: InboundHook
  readonly secret: string | undefined
  readonly replayed: boolean
}

export async function createHook(
  asker: Asker,
  request: HookRequest,
  requestKey: RequestKey | undefined,
): Promise<Outcome<HookShown, Refusal>> {
  const { world, tenant, by } = asker
  const sessionRejection = await sessionRefused(asker, request)
  const validate = () =>
    requestRejection(request) ??
    unsigned(request) ??
    sessionRejection ??
    resourceRefusal(world, tenant, 'hooks')
  const settled = await settleId(world, tenant, 'hk', requestKey, validate)
  if (!settled.ok) return settled
  const { id, known: isReplay } = settled.value
  const generated = request.secret === undefined && request.public_keys === undefined
  const existing = isReplay ? await readHook(world, id) : undefined
  if (existing) return shownAgain(asker, asCreated(existing), generated)
  if (isReplay && (await wasDeleted(world, id)))
    return fail(refusal('gone', `The hook ${id} has been deleted.`))
  const late = await reserveResource(world, slotOf(tenant, id))
  if (late) return fail(late)
  const secret = request.secret ?? (generated ? newSecret(world.clock.random(32)) : undefined)
  const sealed = secret === undefined ? undefined : await world.secrets.seal(secret, id)
  const secrets = sealed === undefined ? undefined : rotated([], sealed, world.clock.now())
  const key = await requestKeyOf(world)
  const hook = { ...hookOf(asker, id, request), ...(key && { key }) }
  if (
    !(await writeHook(world, hook, null, { action: 'create', by }, { previous: null, secrets }))
  ) {
    const concurrentHook = await readHook(world, id)
    if (concurrentHook) return shownAgain(asker, asCreated(concurrentHook), generated)
    return fail(refusal('unavailable', 'The request could not be stored; retry it.'))
  }
  return ok({ hook, secret: generated ? secret : undefined, replayed: false })
}

const slotOf = (tenant: string, id: string): Slot => ({
  ...{ tenant, kind: 'hooks', partition: hookPartition(id) },
})

/** Rebuilds the response to a hook's creation, without later changes. */
const asCreated = (stored: StoredInboundHook): StoredInboundHook => {
  return { ...stored, secrets: firstOf(stored.secrets, stored.hook) }
}

async function shownAgain(
  { world }: Asker,
  { hook, secrets }: StoredInboundHook,
  generated: boolean,
) {
  const [newest] = generated ? secrets : []
  const secret = newest && (await world.secrets.open(newest.sealed, hook.id))
  return ok({ hook, secret, replayed: true })
}

function hookOf({ world, tenant }: Asker, id: string, request: HookRequest): InboundHook {
  const { scheme, public_keys = [], template, events, description = null, ...fields } = request
  const { secret: _, ...run } = fields
  return {
    id,
    tenant,
    scheme,
    public_keys,
    template: template ?? DEFAULT_TEMPLATE,
    events: events ?? null,
    description,
    run,
    revision: 1,
    rotation: null,
    deleted: false,
    created_at: world.clock.now(),
  }
}

function requestRejection(request: HookRequest): Refusal | undefined {
  const at = (pointer: string, message: string): Refusal =>
    refusal('invalid_request', `${message} (${pointer})`, { errors: [{ pointer, message }] })
  const { scheme, public_keys, template } = request
  if (template !== undefined) {
    const parsed = parseTemplate(template)
    if (!parsed.ok) return at('/template', parsed.error)
  }
  const noPath = request.media?.findIndex((path) => !isPath(path)) ?? -1
  if (noPath >= 0) return at(`/media/${noPath}`, 'must be a path such as files[0].url')
  const secret = secretRefused(scheme, request.secret)
  if (secret !== undefined) return at('/secret', secret)
  if (public_keys !== undefined && public_keys.length > 0 && !isStandard(scheme)) {
    return at('/public_keys', `the scheme ${scheme} uses a shared secret, not public keys`)
  }
  const wrong = public_keys?.findIndex((key) => !publicKey(key)) ?? -1
  if (wrong >= 0)
    return at(`/public_keys/${wrong}`, 'must be `whpk_` followed by 32 bytes in base64')
  const misnamed = toolsRefused(request)
  if (misnamed) return misnamed
  const layers = selection(request)
  const layerChoice = layers.ok ? chooseLayers(layers.value) : layers
  return layerChoice.ok ? undefined : layerChoice.error
}

/** Rejects a session that the hook's runs cannot continue. */
async function sessionRefused(
  { world, tenant }: Asker,
  { session_id, subject: requested }: Pick<InboundHookChange, 'session_id' | 'subject'>,
): Promise<Refusal | undefined> {
  const subject = await laterSubject(world, tenant, { session_id, subject: requested })
  return subject.ok ? undefined : subject.error
}

/** Rejects generating a secret for a scheme whose service generates the secret. */
function unsigned({ scheme, secret }: HookRequest): Refusal | undefined {
  if (secret !== undefined || isStandard(scheme) || scheme === 'github') return undefined
  const message = `must be the signing secret from ${scheme}`
  return refusal('invalid_request', `${message} (/secret)`, {
    errors: [{ pointer: '/secret', message }],
  })
}

const isStandard = (scheme: InboundHook['scheme']): boolean =>
  scheme === 'standard' || scheme === 'svix'

/** Explains why a hook's secret is invalid; returns undefined if it is valid or absent. */
function secretRefused(
  scheme: InboundHook['scheme'],
  secret: string | undefined,
): string | undefined {
  if (secret === undefined) return undefined
  if (!isStandard(scheme)) {
    return secret.length < 16 ? 'must be at least 16 characters long' : undefined
  }
  return secretFault(secret)
}

const missing = (): Refusal => refusal('not_found', 'Hook not found.')
const stale = (): Refusal =>
  refusal('precondition_failed', 'The hook has changed since you read it; read it again and retry.')

interface Next {
  readonly hook: InboundHook
  readonly secrets?: readonly SealedSecret[]
}

/** Applies a change to a hook, with an audit entry. Retries after every conflict. */
async function changeHook<T>(
  { world, tenant, by: who }: Asker,
  id: string,
  action: 'update' | 'rotate' | 'delete',
  by: (stored: StoredInboundHook) => Outcome<Next, T>,
): Promise<Outcome<InboundHook, T | Refusal>> {
  return update<Outcome<InboundHook, T | Refusal>>(world, `the hook ${id}`, async () => {
    const stored = await readHook(world, id)
    if (stored?.hook.tenant !== tenant) return fail(missing())
    const next = by(stored)
    if (!next.ok) return next
    const { hook, secrets } = next.value
    const writes = { previous: stored.hook, secrets }
    const isWritten = await writeHook(world, hook, stored.version, { action, by: who }, writes)
    return isWritten ? ok(hook) : undefined
  })
}

/** Edits an inbound hook. Without `revision`, the edit applies to the stored version. */
export async function editHook(
  asker: Asker,
  id: string,
  change: InboundHookChange,
  revision: string | undefined,
): Promise<Outcome<InboundHook, Refusal>> {
  const rejection = await sessionRefused(asker, change)
  if (rejection) return fail(rejection)
  const key = await requestKeyOf(asker.world)
  return changeHook(asker, id, 'update', ({ hook, secrets }) => {
    if (revision !== undefined && revision !== String(hook.revision)) return fail(stale())
    const next = { ...changedHook(hook, change), ...(key && { key }) }
    const { run, scheme, template, public_keys } = next
    const wrong = requestRejection({ ...run, scheme, template, public_keys })
    if (wrong) return fail(wrong)
    if (public_keys.length > 0 || secrets.length > 0) return ok({ hook: next })
    const detail = 'Without this key, the hook could not verify any sender; add another key first.'
    return fail(refusal('conflict', detail))
  })
}

/**
 * Replaces a hook's secret with `requestedSecret` or a generated secret. The previous secret stays
 * valid for one day, which leaves time to update the sender. Each idempotency key rotates once, as
 * with endpoints.
 */
export async function rotateHook(
  asker: Asker,
  id: string,
  requestedSecret: string | undefined,
  requestKey: RequestKey | undefined,
): Promise<Outcome<HookShown, Refusal>> {
  const { world, tenant } = asker
  const wrong = ({ hook, secrets }: StoredInboundHook): Refusal | undefined => {
    if (requestKey && rotatesTooOften(hook, world.clock.now())) return tooOften()
    if (secrets.length === 0)
      return refusal('conflict', 'This hook uses only public keys; it has no secret to rotate.')
    const message = secretRefused(hook.scheme, requestedSecret)
    const errors = [{ pointer: '/secret', message: message ?? '' }]
    return message === undefined
      ? undefined
      : refusal('invalid_request', `Invalid secret: ${message}.`, { errors })
  }
  const validate = async () => {
    const stored = await readHook(world, id)
    return stored?.hook.tenant === tenant ? wrong(stored) : missing()
  }
  const settled = await settleId(world, tenant, 'ver', requestKey, validate)
  if (!settled.ok) return settled
  const rotation = settled.value.id
  const secret = requestedSecret ?? newSecret(world.clock.random(32))
  const sealed = await world.secrets.seal(secret, id)
  const key = await requestKeyOf(world)
  const done = await changeHook<Refusal | StoredInboundHook>(asker, id, 'rotate', (stored) => {
    const { hook, secrets } = stored
    if (hasRotated(hook, rotation)) {
      return fail({ ...stored, secrets: broughtBy(secrets, hook, rotation) })
    }
    const rejection = wrong(stored)
    if (rejection) return fail(rejection)
    const now = world.clock.now()
    const nextSecrets = rotated(secrets, sealed, now, rotation)
    const last = withRotation(hook, rotation, requestKey !== undefined, now)
    const next = { ...hook, ...last, ...(key && { key }), revision: hook.revision + 1 }
    return ok({ hook: next, secrets: nextSecrets })
  })
  const generated = requestedSecret === undefined
  if (done.ok)
    return ok({ hook: done.value, secret: generated ? secret : undefined, replayed: false })
  return 'hook' in done.error ? shownAgain(asker, done.error, generated) : fail(done.error)
}

/** Deletes an inbound hook. Runs that it started continue. */
export async function deleteHook(
  asker: Asker,
  id: string,
  revision: string | undefined,
): Promise<Outcome<InboundHook, Refusal>> {
  const { world, tenant } = asker
  const now = world.clock.now()
  const done = await changeHook(asker, id, 'delete', ({ hook }) => {
    if (revision !== undefined && revision !== String(hook.revision)) return fail(stale())
    return ok({ hook: { ...hook, deleted: true } })
  })
  if (done.ok) await freeSlot(world, slotOf(tenant, id), now, done.value.key)
  return done
}
