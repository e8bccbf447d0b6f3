/** Schema of STRATA_PROVIDERS, and the sentence that describes an invalid value. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { SettingsSchema } from '../../core/model-settings.ts'

const KINDS = [
  'openai',
  'anthropic',
  'google',
  'amazon-bedrock',
  'azure',
  'vertex',
  'workers-ai',
  'openai-compatible',
] as const
export type ProviderKind = (typeof KINDS)[number]

export const text = z.string().trim().min(1).max(2_048)
const address = z.url({ protocol: /^https?$/ }).refine((url) => !/\/\/[^/]*@/.test(url), {
  error: 'contains a user name or password; use `key` or `headers`',
})
const headerValue = z.union([z.string().max(4_096), z.strictObject({ env: text })])
const common = {
  base_url: address.optional(),
  headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/), headerValue).optional(),
}
const reasoning = z.enum(['always', 'when_given', 'never']).optional()
const keyMembers = { key: text.optional(), key_env: text.optional() }

const Provider = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('openai'), ...common, ...keyMembers }),
  z.strictObject({ kind: z.literal('anthropic'), ...common, ...keyMembers }),
  z.strictObject({ kind: z.literal('google'), ...common, ...keyMembers }),
  z.strictObject({
    kind: z.literal('amazon-bedrock'),
    ...common,
    ...keyMembers,
    region: text,
    access_key_id: text.optional(),
    access_key_id_env: text.optional(),
    secret_access_key: text.optional(),
    secret_access_key_env: text.optional(),
    session_token: text.optional(),
    session_token_env: text.optional(),
  }),
  z.strictObject({
    kind: z.literal('azure'),
    ...common,
    ...keyMembers,
    resource: text
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i, 'must be one label of a host name')
      .optional(),
    api_version: text.optional(),
  }),
  z.strictObject({
    kind: z.literal('vertex'),
    ...common,
    ...keyMembers,
    project: text.optional(),
    location: text.optional(),
    service_account: z.string().max(16_384).optional(),
    service_account_env: text.optional(),
  }),
  z.strictObject({
    kind: z.literal('workers-ai'),
    ...common,
    ...keyMembers,
    account_id: text.optional(),
    reasoning,
  }),
  z.strictObject({
    kind: z.literal('openai-compatible'),
    ...common,
    ...keyMembers,
    structured_outputs: z.enum(['without_tools', 'with_tools']).optional(),
    reasoning,
  }),
])

const rate = z.number().min(0)
const Prices = z.strictObject({
  input_per_million: rate,
  output_per_million: rate,
  cache_read_per_million: rate.optional(),
  cache_write_per_million: rate.optional(),
})
const Facts = z.strictObject({
  window: z.int().min(1_000).optional(),
  max_output: z.int().min(1).optional(),
  input: z
    .array(z.enum(['text', 'image', 'pdf', 'audio']))
    .min(1)
    .optional(),
  price: Prices.optional(),
  long: z.strictObject({ above: z.int().min(1), price: Prices }).optional(),
})
const list = z.array(text).min(1).max(LIMITS.fallback_models)
const Alias = z.union([
  text,
  list,
  z.strictObject({ models: list, settings: SettingsSchema.optional() }),
])
export const ProvidersFile = z.strictObject({
  providers: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i), Provider).default({}),
  aliases: z.record(text, Alias).default({}),
  models: z.record(text, Facts).default({}),
  default: text.optional(),
})

export type ProviderInput = z.output<typeof Provider>
export type AliasGiven = z.output<typeof Alias>

/** Describes a validation issue by the name of the member, never by its value. */
export function sentenceOf({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'the value is invalid'
  const { message, path } = deepest(issue)
  const at = path.map(String).join('.')
  return at === '' ? message : `${at}: ${message}`
}

/** Returns the issue of the union alternative that matches the value best. */
function deepest(issue: z.core.$ZodIssue): { message: string; path: readonly PropertyKey[] } {
  const { message, path } = issue
  const wrong = {
    message: issue.code === 'invalid_value' ? 'has an unsupported value' : message,
    path,
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return path.at(-1) === 'kind' ? { message: `must be one of ${KINDS.join(', ')}`, path } : wrong
  }
  const inner = issue.errors
    .flatMap(([first]) => (first ? [deepest(first)] : []))
    .sort((left, right) => right.path.length - left.path.length)[0]
  return inner ? { message: inner.message, path: [...path, ...inner.path] } : wrong
}
