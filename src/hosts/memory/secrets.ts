/**
 * Secrets of a test, given as plain values. Sealing only binds a text to its context, readable by
 * anyone: nothing outlives the process here, so there is nothing to protect it from.
 */

import { base64url, encode } from '../../lib/bytes.ts'
import type { Secrets } from '../../ports/world.ts'

/** `values` are by tenant, then by name. */
export function memorySecrets(
  values: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Secrets {
  const of = (tenant: string): ReadonlyMap<string, string> =>
    new Map(Object.entries(values[tenant] ?? {}))
  return {
    get: async (tenant, name) => of(tenant).get(name),
    names: async (tenant) => new Set(of(tenant).keys()),
    bindings: async () => new Map(),
    seal: async (text, context) => `${mark(context)}${base64url(encode(text))}`,
    async open(sealed, context) {
      const prefix = mark(context)
      if (!sealed.startsWith(prefix)) return undefined
      return Buffer.from(sealed.slice(prefix.length), 'base64url').toString()
    },
  }
}

const mark = (context: string): string => `memory.${base64url(encode(context))}.`
