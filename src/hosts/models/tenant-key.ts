/**
 * Keys of tenants for model providers. A tenant's secret with the use `model` and the name of the
 * provider's key replaces the deployment's key. If the secret must not be sent to the provider, the
 * call is refused and does not fall back to the deployment's key.
 */

import { placeOf } from '../../core/config/server/secret-binding.ts'
import type { KeySlot } from '../../core/secret.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelFailure, TenantKeys } from '../../ports/world.ts'
import type { ModelConfig } from './config.ts'
import { baseOf } from './open.ts'
import type { ProviderConfig } from './providers.ts'

/** Slots by provider, because every model call needs the slot of its provider. */
const slots = new WeakMap<ProviderConfig, KeySlot>()

/** Returns the key that a tenant can replace; undefined if the provider receives no key. */
function slotOf(providerName: string, provider: ProviderConfig): KeySlot | undefined {
  const cached = slots.get(provider)
  if (cached) return cached
  const url = baseOf(provider)
  if (url === undefined) return undefined
  const usualName = `${providerName.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`
  const place = placeOf({ transport: 'http', url })
  const slot: KeySlot = { use: 'model', name: provider.key_name ?? usualName, place }
  slots.set(provider, slot)
  return slot
}

export const modelSlots = ({ providers }: ModelConfig): readonly KeySlot[] =>
  Object.entries(providers).flatMap(([name, provider]) => slotOf(name, provider) ?? [])

/**
 * Returns the provider with the tenant's key; returns the same object if the tenant has none.
 */
export async function withTenantKey(
  providerName: string,
  provider: ProviderConfig,
  keys: TenantKeys | undefined,
): Promise<Outcome<ProviderConfig, ModelFailure>> {
  const slot = keys && slotOf(providerName, provider)
  if (!keys || slot === undefined) return ok(provider)
  try {
    const key = await keys(slot)
    if (key.ok) return ok(key.value === undefined ? provider : keyedBy(provider, key.value))
    const message = `${providerName} was not called: ${key.error}`
    return fail({ code: 'unauthorized', message, retryable: false })
  } catch {
    const message = `${providerName} was not called: the tenant's secrets could not be read`
    return fail({ code: 'unavailable', message, retryable: true })
  }
}

/** Headers that authenticate the deployment, and would take precedence over the key. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'],
])

function keyedBy(provider: ProviderConfig, key: string): ProviderConfig {
  const { headers = {}, access_key_id: _, secret_access_key: __, ...common } = provider
  const otherHeaders = Object.entries(headers).filter(
    ([name]) => !CREDENTIALS.has(name.toLowerCase()),
  )
  return { ...common, key, headers: Object.fromEntries(otherHeaders) }
}
