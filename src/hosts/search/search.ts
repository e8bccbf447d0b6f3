/**
 * Implements the search port with the provider selected by the deployment's environment variables.
 */

import { placeOf } from '../../core/config/server/secret-binding.ts'
import { LIMITS } from '../../core/limits.ts'
import type { KeySlot } from '../../core/secret.ts'
import { hideIn, hiding } from '../../lib/hide.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Search, TenantKeys } from '../../ports/world.ts'
import { type Fetch, sendThrough } from '../outbound/fetch.ts'
import {
  PROVIDER_MAKERS,
  PROVIDERS,
  type Provider,
  type ProviderName,
  VARIABLES,
} from './providers.ts'

export interface SearchConfig {
  readonly name: ProviderName
  /** API key or URL of the provider. */
  readonly value: string
  /** Base URL used instead of the provider's default. */
  readonly base_url?: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>
const set = (value: string | undefined): string | undefined => value?.trim() || undefined

/**
 * Returns the provider named in `STRATA_SEARCH`, or the first provider whose variable is set;
 * undefined without either.
 */
export function searchConfigFromEnv(env: Environment): SearchConfig | undefined {
  const requested = set(env.STRATA_SEARCH)
  const name = PROVIDERS.find((provider) =>
    requested === undefined ? set(env[VARIABLES[provider]]) !== undefined : provider === requested,
  )
  if (name === undefined && requested !== undefined)
    throw new Error(`STRATA_SEARCH must be one of ${PROVIDERS.join(', ')}, not ${requested}`)
  if (name === undefined) return undefined
  const value = set(env[VARIABLES[name]])
  if (value === undefined) throw new Error(`STRATA_SEARCH=${name} requires ${VARIABLES[name]}`)
  if (name === 'searxng' && !URL.canParse(value))
    throw new Error('SEARXNG_URL must be a URL such as https://searx.example.org')
  return { name, value, base_url: set(env.STRATA_SEARCH_BASE_URL) }
}

/** Reason for missing web search; names the variables that enable a provider. */
export const NO_SEARCH = `no search provider is configured; set ${Object.values(VARIABLES)
  .join(', ')
  .replace(/, ([^,]+)$/, ' or $1')}`

const ANSWER_BYTES = 2_097_152
const TIMEOUT_MS = LIMITS.web_fetch_seconds * 1_000

/**
 * Creates the search port. `connect` skips the outbound checks, because the operator chose the URL,
 * which may be internal.
 */
export function createSearch({ name, value, base_url }: SearchConfig, connect: Fetch): Search {
  const base = base_url ?? PROVIDER_MAKERS[name](value).base_url
  const slot = slotOf(name, base)
  const send = sendThrough((url, init) => connect(url, { ...init, redirect: 'manual' }))
  return {
    provider: name,
    ...(slot ? { slot } : {}),
    async find(request, signal, keys) {
      const key = await keyFor(slot, value, keys)
      if (!key.ok) return key
      const provider = PROVIDER_MAKERS[name](key.value)
      const hide = hiding([key.value])
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
      if (status === 401 || status === 403) return fail('the provider rejected the API key')
      if (status === 429) return fail('the provider received too many requests; retry later')
      if (status < 200 || status >= 300) return fail(`the provider responded with ${status}`)
      return hideIn(readAnswer(provider, answer.value.body), slot ? hide : (text) => text)
    },
  }
}

/** Returns the key that a tenant can replace; undefined for a provider that needs no key. */
const slotOf = (name: ProviderName, url: string): KeySlot | undefined =>
  name === 'searxng'
    ? undefined
    : { use: 'search', name: VARIABLES[name], place: placeOf({ transport: 'http', url }) }

/** Returns the tenant's key if there is one, otherwise the deployment's. */
async function keyFor(
  slot: KeySlot | undefined,
  deploymentKey: string,
  keys: TenantKeys | undefined,
): Promise<Outcome<string, string>> {
  if (!slot || !keys) return ok(deploymentKey)
  try {
    const key = await keys(slot)
    return key.ok ? ok(key.value ?? deploymentKey) : fail(`not called: ${key.error}`)
  } catch {
    return fail("not called: the tenant's secrets could not be read")
  }
}

function readAnswer(provider: Provider, body: string) {
  try {
    return ok(provider.read(JSON.parse(body)))
  } catch {
    return fail("the provider's response is not a list of results")
  }
}
