/** Making and deleting hooks. A secret that we made is shown once, in the answer that made it. */

import type { Hook, HookRun } from '../../core/hook.ts'
import { DEFAULT_TEMPLATE } from '../../core/hook.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { parseTemplate } from '../../core/template.ts'
import { newSecret, publicKey, secretKey } from '../../core/webhook.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { selection } from '../accept.ts'
import type { Asker } from '../endpoint/manage.ts'
import type { Keyed } from '../idempotency.ts'
import { settleId } from '../keyed.ts'
import { hooksList } from '../names.ts'
import { readHook, type StoredHook, writeHook } from './store.ts'

export interface HookRequest extends HookRun {
  readonly scheme: Hook['scheme']
  readonly secret?: string | undefined
  readonly public_keys?: readonly string[] | undefined
  readonly template?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly description?: string | null | undefined
}

export interface HookShown {
  readonly hook: Hook
  readonly secret: string | undefined
  readonly replayed: boolean
}

const HOOKS_MAX = 100

export async function createHook(
  asker: Asker,
  request: HookRequest,
  keyed: Keyed | undefined,
): Promise<Outcome<HookShown, Refusal>> {
  const { world, tenant, by } = asker
  const settled = await settleId(world, tenant, 'hk', keyed, () => refused(request))
  if (!settled.ok) return settled
  const { id, known } = settled.value
  const generated = request.secret === undefined && request.public_keys === undefined
  const before = known ? await readHook(world, id) : undefined
  if (before) return shownAgain(asker, before, generated)
  const others = await world.store.list(hooksList(tenant), undefined, HOOKS_MAX)
  if (others.length >= HOOKS_MAX) {
    return fail(refusal('rate_limited', `A tenant has at most ${HOOKS_MAX} hooks.`))
  }
  const secret = request.secret ?? (generated ? newSecret(world.clock.random(32)) : undefined)
  const sealed = secret === undefined ? null : await world.secrets.seal(secret, id)
  const hook = hookOf(asker, id, request)
  if (!(await writeHook(world, hook, null, { action: 'create', by }, sealed))) {
    const found = await readHook(world, id)
    if (found) return shownAgain(asker, found, generated)
    return fail(refusal('unavailable', 'It could not be stored; try again.'))
  }
  return ok({ hook, secret: generated ? secret : undefined, replayed: false })
}

async function shownAgain({ world }: Asker, { hook, sealed }: StoredHook, generated: boolean) {
  const secret = generated && sealed ? await world.secrets.open(sealed, hook.id) : undefined
  return ok({ hook, secret, replayed: true })
}

function hookOf({ world, tenant }: Asker, id: string, request: HookRequest): Hook {
  const { scheme, public_keys = [], template, events, description = null, ...rest } = request
  const { secret: _, ...run } = rest
  return {
    id,
    tenant,
    scheme,
    public_keys,
    template: template ?? DEFAULT_TEMPLATE,
    events: events ?? null,
    description,
    run,
    deleted: false,
    created_at: world.clock.now(),
  }
}

function refused(request: HookRequest): Refusal | undefined {
  const at = (pointer: string, message: string): Refusal =>
    refusal('invalid_request', `${message} (${pointer})`, { errors: [{ pointer, message }] })
  const { scheme, secret, public_keys, template } = request
  if (template !== undefined) {
    const parsed = parseTemplate(template)
    if (!parsed.ok) return at('/template', parsed.error)
  }
  if (secret !== undefined && scheme === 'standard' && !secretKey(secret)) {
    return at('/secret', '`whsec_` and 24 to 64 bytes in base 64 are needed')
  }
  if (secret !== undefined && scheme === 'github' && secret.length < 16) {
    return at('/secret', 'at least 16 characters are needed')
  }
  if (public_keys !== undefined && scheme === 'github') {
    return at('/public_keys', 'GitHub signs with a shared secret')
  }
  const wrong = public_keys?.findIndex((key) => !publicKey(key)) ?? -1
  if (wrong >= 0) return at(`/public_keys/${wrong}`, '`whpk_` and 32 bytes in base 64 are needed')
  const layers = selection(request)
  return layers.ok ? undefined : layers.error
}

/** False when there is none. What it has started goes on. */
export async function deleteHook({ world, tenant, by }: Asker, id: string): Promise<boolean> {
  for (;;) {
    const found = await readHook(world, id)
    if (found?.hook.tenant !== tenant) return false
    const gone = { ...found.hook, deleted: true }
    if (await writeHook(world, gone, found.version, { action: 'delete', by }, null)) return true
  }
}
