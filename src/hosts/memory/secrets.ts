/**
 * Secrets for tests, given as plain values. A seal binds a text to its context and reveals changes,
 * but provides no secrecy, because the data exists only in this process. Values sealed by another
 * deployment cannot be opened.
 */

import { base64url, encode } from '../../lib/bytes.ts'
import { digest } from '../../lib/digest.ts'
import type { Secrets } from '../../ports/world.ts'

/**
 * Creates the secrets port from `values`, keyed by tenant and then by name; `deployment` identifies
 * the deployment in each seal.
 */
export function memorySecrets(
  values: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  deployment = 'memory',
): Secrets {
  const sealedAs = (text: string, context: string): string =>
    `${deployment}.${digest([context, text])}.${base64url(encode(text))}`
  const of = (tenant: string): ReadonlyMap<string, string> =>
    new Map(Object.entries(values[tenant] ?? {}))
  return {
    get: async (tenant, name, to) => (to && to.use !== 'mcp' ? undefined : of(tenant).get(name)),
    names: async (tenant, use = 'mcp') => new Set(use === 'mcp' ? of(tenant).keys() : []),
    bindings: async () => new Map(),
    seal: async (text, context) => sealedAs(text, context),
    async open(sealed, context) {
      const text = Buffer.from(sealed.split('.').at(-1) ?? '', 'base64url').toString()
      return sealed === sealedAs(text, context) ? text : undefined
    },
  }
}
