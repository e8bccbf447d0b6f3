/** The search port: asks the provider that the deployment's variables name. */

import { placeOf } from '../../core/config/server/secret-binding.ts'
import { LIMITS } from '../../core/limits.ts'
import type { KeySlot } from '../../core/secret.ts'
import { hiding } from '../../lib/hide.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { Search, TenantKeys } from '../../ports/world.ts'
import { type Fetch, sendThrough } from '../outbound/fetch.ts'
import { MADE, PROVIDERS, type Provider, type ProviderName, VARIABLES } from './providers.ts'

export interface SearchConfig {
  readonly name: ProviderName
  /** Its key, or where it answers; '': each tenant brings its key. */
  readonly value: string
  /** Instead of the provider's own address. */
  readonly base_url?: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>
const set = (value: string | undefined): string | undefined => value?.trim() || undefined

/** The provider of `STRATA_SEARCH`, else the first whose variable is set; none: undefined. */
export function searchConfigFromEnv(env: Environment): SearchConfig | undefined {
  const chosen = set(env.STRATA_SEARCH)
  const name = PROVIDERS.find((one) =>
    chosen === undefined ? set(env[VARIABLES[one]]) !== undefined : one === chosen,
  )
  if (name === undefined && chosen !== undefined)
    throw new Error(`STRATA_SEARCH must be one of ${PROVIDERS.join(', ')}, not ${chosen}`)
  if (name === undefined) return undefined
  const brought = name !== 'searxng' && tenantsBring(env.STRATA_SEARCH_KEYS)
  const value = set(env[VARIABLES[name]]) ?? (brought ? '' : undefined)
  if (value === undefined) throw new Error(`STRATA_SEARCH=${name} needs ${VARIABLES[name]}`)
  if (name === 'searxng' && !URL.canParse(value))
    throw new Error('SEARXNG_URL must be an address, e.g. https://searx.example.org')
  return { name, value, base_url: set(env.STRATA_SEARCH_BASE_URL) }
}

function tenantsBring(text: string | undefined): boolean {
  const said = set(text)
  if (said === undefined || said === 'tenant') return said === 'tenant'
  throw new Error('STRATA_SEARCH_KEYS must be "tenant", or be left out')
}

/** Says which variables would bring one. */
export const NO_SEARCH = `no search provider is configured: set ${Object.values(VARIABLES)
  .join(', ')
  .replace(/, ([^,]+)$/, ' or $1')}`

const ANSWER_BYTES = 2_097_152
const TIMEOUT_MS = LIMITS.web_fetch_seconds * 1_000

/** `connect`: not guarded, as the operator has chosen the address, perhaps one of a network inside. */
export function createSearch({ name, value, base_url }: SearchConfig, connect: Fetch): Search {
  const base = base_url ?? MADE[name](value).base_url
  const slot = slotOf(name, base)
  const send = sendThrough((url, init) => connect(url, { ...init, redirect: 'manual' }))
  return {
    provider: name,
    ...(slot ? { slot } : {}),
    async find(request, signal, keys) {
      const keyed = slot ? await keyFor(slot, value, keys) : ok(value)
      if (!keyed.ok) return keyed
      const provider = MADE[name](keyed.value)
      const hide = hiding([keyed.value])
      const { path, headers, body } = provider.ask(request)
      const answer = await send(
        {
          method: body === undefined ? 'GET' : 'POST',
          url: `${base}${path}`,
          headers:
            body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          timeoutMs: TIMEOUT_MS,
          maxBytes: ANSWER_BYTES,
        },
        signal,
      )
      if (!answer.ok) return fail(hide(answer.error))
      const { status } = answer.value
      if (status === 401 || status === 403) return fail('the provider refused the key')
      if (status === 429) return fail('the provider has had too many requests; try again later')
      if (status < 200 || status >= 300) return fail(`the provider answered ${status}`)
      return readAnswer(provider, answer.value.body)
    },
  }
}

/** Where the provider takes a key, a tenant may bring its own, under the name of the variable. */
const slotOf = (name: ProviderName, url: string): KeySlot | undefined =>
  name === 'searxng'
    ? undefined
    : { use: 'search', name: VARIABLES[name], place: placeOf({ transport: 'http', url }) }

/** The tenant's, else the deployment's, unless it has none. */
async function keyFor({ name, place }: KeySlot, ours: string, keys: TenantKeys) {
  try {
    const found = await keys(name, place)
    if (!found.ok) return fail(`not asked: ${found.error}`)
    const key = found.value ?? ours
    if (key !== '') return ok(key)
    const why = 'not asked: each tenant brings its own key; keep it as the secret'
    return fail(`${why} ${name}, with the use \`search\` and the host ${place}`)
  } catch {
    return fail('not asked: the secrets of the tenant could not be read')
  }
}

function readAnswer(provider: Provider, body: string) {
  try {
    return ok(provider.read(JSON.parse(body)))
  } catch {
    return fail('the provider answered what is no list of results')
  }
}
