/**
 * The key of the tenant that is served, in place of the deployment's: a secret with the use `model`
 * that is bound to where the provider is asked. One that must not go there is no reason to fall
 * back on the deployment's: the call is refused, and says so.
 */

import { placeOf } from '../../core/config/server/secret-binding.ts'
import type { KeySlot } from '../../core/secret.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelFailure, TenantKeys } from '../../ports/world.ts'
import type { ModelConfig, ProviderConfig } from './config.ts'
import { addressOf } from './open.ts'
import { needsTenantKey } from './providers.ts'

/** A provider is looked at once: each call of a model wants its slot. */
const slots = new WeakMap<ProviderConfig, { readonly of: string; readonly slot?: KeySlot }>()

/** Undefined: no key is sent, so none can be replaced. */
function slotOf(called: string, provider: ProviderConfig): KeySlot | undefined {
  const known = slots.get(provider)
  if (known?.of === called) return known.slot
  const slot = newSlot(called, provider)
  slots.set(provider, { of: called, ...(slot && { slot }) })
  return slot
}

function newSlot(called: string, provider: ProviderConfig): KeySlot | undefined {
  const url = addressOf(provider)
  if (url === undefined) return undefined
  const usual = `${called.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`
  const place = placeOf({ transport: 'http', url })
  return { use: 'model', name: provider.tenant_key ?? usual, place }
}

export const modelSlots = ({ providers }: ModelConfig): readonly KeySlot[] =>
  Object.entries(providers).flatMap(([called, provider]) => slotOf(called, provider) ?? [])

/** The provider as it was, or with the tenant's key. */
export async function withTenantKey(
  called: string,
  provider: ProviderConfig,
  keys: TenantKeys,
): Promise<Outcome<ProviderConfig, ModelFailure>> {
  const slot = slotOf(called, provider)
  if (slot === undefined) return ok(provider)
  const refused = (why: string): Outcome<never, ModelFailure> =>
    fail({ code: 'unauthorized', message: `${called} was not asked: ${why}`, retryable: false })
  try {
    const found = await keys(slot.name, slot.place)
    if (!found.ok) return refused(found.error)
    if (found.value !== undefined) return ok(keyedBy(provider, found.value))
    if (!needsTenantKey(provider)) return ok(provider)
    return refused(
      `each tenant brings its own key; keep it as the secret ${slot.name}, with the use ` +
        `\`model\` and the host ${slot.place}`,
    )
  } catch {
    const message = 'the secrets of the tenant could not be read'
    return fail({ code: 'unavailable', message, retryable: true })
  }
}

/** Headers of the deployment that prove who it is would go before the key. */
const PROOFS: ReadonlySet<string> = new Set([
  ...['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'],
])

function keyedBy(provider: ProviderConfig, key: string): ProviderConfig {
  const { headers = {}, access_key_id: _, secret_access_key: __, ...rest } = provider
  const kept = Object.entries(headers).filter(([name]) => !PROOFS.has(name.toLowerCase()))
  return { ...rest, key, headers: Object.fromEntries(kept) }
}
