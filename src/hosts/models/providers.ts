/**
 * Reads STRATA_PROVIDERS: providers, aliases with settings, and facts about models, as JSON. Values
 * of keys may be names of variables. A mistake is thrown at startup as one sentence that names the
 * entry and the member, and never shows a value.
 */

import * as z from 'zod'
import type { ModelSettings } from '../../core/model-settings.ts'
import type { ModelFacts } from './facts.ts'
import {
  type AliasGiven,
  type ProviderInput,
  type ProviderKind,
  ProvidersFile,
  sentenceOf,
  text,
} from './provider-schema.ts'
import type { ReasoningBack } from './reasoning.ts'

export type { ProviderKind } from './provider-schema.ts'

/**
 * Support for structured outputs; `without_tools` excludes calls with tools, because many servers
 * would then never call a tool.
 */
export type StructuredOutputs = 'without_tools' | 'with_tools'

interface ServiceAccount {
  readonly client_email: string
  readonly private_key: string
  readonly private_key_id?: string | undefined
}

export interface ProviderConfig {
  readonly kind: ProviderKind
  /** Provider's base URL; required for `openai-compatible`, by default the vendor's URL. */
  readonly base_url?: string | undefined
  readonly key?: string | undefined
  /** Name of the key's variable, and of tenants' secrets that replace the key. */
  readonly key_name?: string | undefined
  /** Headers sent with each request to the provider; their values count as secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** JSON Schema support of an `openai-compatible` server; if absent, there is no support. */
  readonly structured_outputs?: StructuredOutputs | undefined
  /**
   * Form in which chat completions send reasoning back to the server; the default is in
   * `reasoning.ts`.
   */
  readonly reasoning?: ReasoningBack | undefined
  /**
   * AWS region for `amazon-bedrock`. Without keys, requests are signed with the role of the
   * process.
   */
  readonly region?: string | undefined
  readonly access_key_id?: string | undefined
  readonly secret_access_key?: string | undefined
  readonly session_token?: string | undefined
  /** Name of the Azure resource, for `azure`. */
  readonly resource?: string | undefined
  readonly api_version?: string | undefined
  /** Google Cloud project ID, for `vertex`. */
  readonly project?: string | undefined
  readonly location?: string | undefined
  readonly service_account?: ServiceAccount | undefined
  /** Cloudflare account ID, for `workers-ai` over REST; if absent, the binding AI is used. */
  readonly account_id?: string | undefined
}

/** Model alias: models in order of preference, and settings for their calls. */
export interface Alias {
  readonly models: readonly string[]
  readonly settings?: ModelSettings | undefined
}

export interface Configured {
  readonly providers: Readonly<Record<string, ProviderConfig>>
  readonly aliases: Readonly<Record<string, Alias>>
  readonly models: Readonly<Record<string, ModelFacts>>
  readonly default?: string | undefined
}

/** Capabilities of the platform for model calls, in addition to environment variables. */
export interface ModelHome {
  /** Whether the process has a role that can sign requests to Amazon. */
  readonly role?: boolean | undefined
  /** Whether the Worker has a binding for Workers AI. */
  readonly ai?: boolean | undefined
  /** Reports whether a package is installed; absent if all packages are bundled. */
  readonly isInstalled?: ((name: string) => boolean) | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

export const aliasOf = (input: AliasGiven): Alias =>
  typeof input === 'string' ? { models: [input] } : 'models' in input ? input : { models: input }

const VARIABLE = 'STRATA_PROVIDERS'

/** Reads the provider configuration; throws a one-line error if it is invalid. */
export function readProviders(value: string, env: Environment, home: ModelHome): Configured {
  const file = ProvidersFile.safeParse(jsonOf(value))
  if (!file.success) throw new Error(`${VARIABLE}: ${sentenceOf(file.error)}.`)
  const { providers, aliases, models } = file.data
  const entries = Object.entries(providers).map(([name, input]) => [
    name,
    providerOf(name, input, env, home),
  ])
  return {
    providers: Object.fromEntries(entries),
    aliases: Object.fromEntries(
      Object.entries(aliases).map(([alias, input]) => [alias, aliasOf(input)]),
    ),
    models,
    default: file.data.default,
  }
}

function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    // The text of the variable may contain keys, so neither the text nor the parser's excerpt of it
    // is shown.
    throw new Error(
      value.trimStart().startsWith('{')
        ? `${VARIABLE} must be valid JSON.`
        : `${VARIABLE} must be JSON on this platform; only Node supports the path of a .json or ` +
            '.toml file.',
    )
  }
}

function providerOf(
  name: string,
  input: ProviderInput,
  env: Environment,
  home: ModelHome,
): ProviderConfig {
  const wrong = (member: string, reason: string): Error =>
    new Error(`${VARIABLE}: providers.${name}.${member} ${reason}.`)
  const variable = (member: string, variableName: string): string => {
    const value = env[variableName]?.trim()
    if (value) return value
    throw wrong(member, `names the variable ${variableName}, which is not set`)
  }
  const members = input as Readonly<Record<string, unknown>>
  const resolved: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(members)) {
    if (!member.endsWith('_env')) {
      resolved[member] ??= value
      continue
    }
    const plain = member.slice(0, -'_env'.length)
    if (members[plain] !== undefined)
      throw wrong(member, `cannot be combined with ${plain}; use one of them`)
    resolved[plain] = variable(member, value as string)
    if (member === 'key_env') resolved.key_name = value
  }
  if (input.headers) {
    const entries = Object.entries(input.headers).map(([header, value]) => [
      header,
      typeof value === 'string' ? value : variable(`headers.${header}`, value.env),
    ])
    resolved.headers = Object.fromEntries(entries)
  }
  if (typeof resolved.service_account === 'string') {
    resolved.service_account = accountOf(resolved.service_account, wrong)
  }
  const provider = resolved as unknown as ProviderConfig
  const lacks = lackOf(provider, home)
  if (lacks) throw wrong(...lacks)
  return provider
}

function accountOf(json: string, wrong: (member: string, reason: string) => Error): ServiceAccount {
  const Account = z.object({
    client_email: text,
    private_key: z.string().includes('PRIVATE KEY'),
    private_key_id: text.optional(),
  })
  try {
    return Account.parse(JSON.parse(json))
  } catch {
    throw wrong(
      'service_account',
      'must be the JSON key of a service account, with `client_email` and `private_key`',
    )
  }
}

const KEY = 'is missing; set `key`, or set `key_env` to the name of a variable'

/** Returns a required member that the provider lacks, with the reason, or undefined. */
function lackOf(provider: ProviderConfig, home: ModelHome): [string, string] | undefined {
  const { kind, key, base_url } = provider
  switch (kind) {
    case 'openai':
    case 'anthropic':
    case 'google':
      return key === undefined ? ['key', KEY] : undefined
    case 'azure':
      if (key === undefined) return ['key', KEY]
      return provider.resource === undefined && base_url === undefined
        ? ['resource', 'is missing; set the name of the resource, or `base_url`']
        : undefined
    case 'amazon-bedrock': {
      const { access_key_id: id, secret_access_key: secret } = provider
      if (key !== undefined || (id !== undefined && secret !== undefined)) return undefined
      if (id !== undefined || secret !== undefined)
        return ['access_key_id', 'and `secret_access_key` must be set together']
      return home.role === true
        ? undefined
        : ['access_key_id', 'is missing; this platform has no role that can sign requests']
    }
    case 'vertex':
      if (key !== undefined) return undefined
      if (provider.service_account === undefined)
        return ['service_account', 'is missing; set its JSON key, or `key` for express mode']
      if (provider.location === undefined)
        return ['location', 'is missing; set a region such as europe-west1']
      return provider.project === undefined ? ['project', 'is missing'] : undefined
    case 'workers-ai':
      if (provider.account_id !== undefined || base_url !== undefined)
        return key === undefined ? ['key', KEY] : undefined
      return home.ai === true
        ? undefined
        : ['account_id', 'is missing; it is required without the AI binding']
    case 'openai-compatible':
      return base_url === undefined ? ['base_url', 'is missing'] : undefined
  }
}

/** Returns the texts of a provider's configuration that must never appear in a message or a log. */
export function secretsOf(provider: ProviderConfig): readonly string[] {
  const { key, headers, secret_access_key, session_token, service_account } = provider
  return [
    ...[key, secret_access_key, session_token, service_account?.private_key],
    ...Object.values(headers ?? {}),
  ].filter((secret) => secret !== undefined && secret !== '') as string[]
}
