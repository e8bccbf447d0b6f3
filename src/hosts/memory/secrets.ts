/**
 * Secrets of a test, given as plain values. Sealing binds a text to its context and shows any
 * change, but anyone can read it and make it: nothing outlives the process here, so there is
 * nothing to protect it from. A value that another deployment has sealed does not open.
 */

import { base64url, encode } from '../../lib/bytes.ts'
import { digest } from '../../lib/digest.ts'
import type { Secrets } from '../../ports/world.ts'

/** `values` are by tenant, then by name; `deployment` identifies the sealer in the seal. */
export function memorySecrets(
  values: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  deployment = 'memory',
): Secrets {
  const sealedAs = (text: string, context: string): string =>
    `${deployment}.${digest([context, text])}.${base64url(encode(text))}`
  const of = (tenant: string): ReadonlyMap<string, string> =>
    new Map(Object.entries(values[tenant] ?? {}))
  return {
    get: async (tenant, name) => of(tenant).get(name),
    names: async (tenant) => new Set(of(tenant).keys()),
    bindings: async () => new Map(),
    seal: async (text, context) => sealedAs(text, context),
    async open(sealed, context) {
      const text = Buffer.from(sealed.split('.').at(-1) ?? '', 'base64url').toString()
      return sealed === sealedAs(text, context) ? text : undefined
    },
  }
}
