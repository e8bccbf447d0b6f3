/** HTTP app with a tenant that has quotas, for tests of keys that have their own. */

import type { KeyQuotas } from '../../src/core/tenant-quotas.ts'
import { DEFAULT_TENANT } from '../../src/engine/partition/keys.ts'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { standardHeaders } from './hook-messages.ts'
import { testApi } from './http.ts'

export type QuotaApi = Awaited<ReturnType<typeof quotaApi>>

/** The tenant can have 4 active runs and use 100,000 tokens per day; `admin` is its first key. */
export async function quotaApi() {
  const api = await testApi()
  const operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const send = (method: string, path: string, key: string, json?: unknown) =>
    api.call(method, path, { key, ...(json === undefined ? {} : { json }) })

  const quotas = { active_runs: 4, tokens_per_day: 100_000 }
  const created = await send('POST', '/v1/tenants', operator, { id: 'acme', quotas })
  const admin: string = created.body.key.text

  const ask = (method: string, path: string, json?: unknown, key = admin) =>
    send(method, path, key, json)
  const make = (quotas: KeyQuotas | undefined, maker = admin, more: object = {}) =>
    ask('POST', '/v1/keys', { scopes: ['*'], ...(quotas && { quotas }), ...more }, maker)
  return {
    api,
    admin,
    ask,
    make,
    keyWith: async (quotas: KeyQuotas): Promise<string> => (await make(quotas)).body.key,
    start: (key: string, input = '@say done') => ask('POST', '/v1/runs', { input }, key),
    /** Returns the quotas that a key sees, such as `key active_runs 1 0`. */
    async levels(key: string): Promise<readonly string[]> {
      const { body } = await ask('GET', '/v1/usage', undefined, key)
      return body.quotas.map(({ owner, quota, limit, used }: Record<string, unknown>) =>
        [owner, quota, limit, used].join(' '),
      )
    },
    /** Sends a signed message to a hook. */
    message(hook: string, secret: string, id: string) {
      const body = '{"type":"a.b"}'
      const at = Math.floor(api.world.clock.now() / 1_000)
      const headers = standardHeaders(secret, body, { id, at })
      return api.call('POST', `/v1/hooks/${hook}`, { key: null, body, headers })
    },
  }
}
