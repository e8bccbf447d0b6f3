/**
 * Opens the model of a provider. The dialects of OpenAI and Anthropic are implemented in `wire`. An
 * AI SDK package is imported on first use, so unused packages do not slow startup. OpenAI,
 * Anthropic, and Google packages are imported through `/internal`, which contains only the language
 * model. The Amazon package shares that code, so a Worker contains one copy of it, and `/internal`
 * reads no environment variables.
 */

import { assert } from '../../lib/assert.ts'
import { azureAddress, azureBase } from './azure.ts'
import type { FoundModel } from './find.ts'
import type { Addressee } from './prompt.ts'
import type { ProviderConfig } from './providers.ts'
import { reasoningBack } from './reasoning.ts'
import { sdkModel } from './sdk-model.ts'
import { googleToken } from './service-account.ts'
import type { LanguageModel, OpenModel } from './types.ts'
import { chatModel } from './wire/chat-model.ts'
import { messagesModel, responsesModel } from './wire/packaged-model.ts'
import type { Server } from './wire/post.ts'
import { type AiBinding, bindingFetch } from './workers-ai.ts'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** Capabilities of the platform that model calls use. */
export interface ModelMeans {
  /** `fetch` for all requests to models. */
  readonly connect: typeof fetch
  /** Returns the credentials of the process's role, used to sign requests to Amazon. */
  readonly credentials?: (() => Promise<AwsCredentials>) | undefined
  /** Workers AI binding of a Worker. */
  readonly ai?: AiBinding | undefined
}

/** Wraps a `fetch` with the limits of the current model call. */
type Door = (connect: typeof fetch) => typeof fetch

export async function openModel(
  { name: model, provider: providerName }: FoundModel,
  provider: ProviderConfig,
  door: Door,
  means: ModelMeans,
): Promise<OpenModel> {
  const { kind, key, base_url } = provider
  const to = { kind, called: providerName, model }
  const settings: Settings = {
    ...(base_url ? { baseURL: base_url.replace(/\/+$/, '') } : {}),
    ...(provider.headers ? { headers: provider.headers } : {}),
    apiKey: key ?? 'none',
    fetch: means.connect,
  }
  switch (kind) {
    case 'workers-ai': {
      return chat(workersAi(provider, settings, means), to, provider)
    }
    case 'openai-compatible': {
      const { baseURL, fetch } = settings
      assert(baseURL, 'an openai-compatible provider requires a base URL')
      return chat({ baseURL, fetch }, to, provider)
    }
    case 'openai': {
      const { OpenAIResponsesLanguageModel } = await import('@ai-sdk/openai/internal')
      const { baseURL = OPENAI, fetch, apiKey, headers } = settings
      const server = { fetch, headers: { authorization: `Bearer ${apiKey}`, ...headers } }
      const api = { provider: 'openai.responses', url: `${baseURL}/responses`, files: ['file-'] }
      return responsesModel(server, to, api, OpenAIResponsesLanguageModel)
    }
    case 'azure': {
      const { OpenAIResponsesLanguageModel } = await import('@ai-sdk/openai/internal')
      const { fetch, apiKey, headers } = settings
      const { responses, isProject } = azureAddress(provider)
      const server = { fetch, headers: { 'api-key': apiKey, ...headers } }
      const api = {
        ...{ provider: 'azure.responses', url: responses, files: ['assistant-'] },
        needsTypes: isProject,
      }
      return responsesModel(server, to, api, OpenAIResponsesLanguageModel)
    }
    case 'anthropic': {
      const { AnthropicLanguageModel } = await import('@ai-sdk/anthropic/internal')
      const { baseURL = ANTHROPIC, fetch, apiKey, headers } = settings
      const signed = { 'anthropic-version': '2023-06-01', 'x-api-key': apiKey, ...headers }
      return messagesModel({ baseURL, fetch, headers: signed }, to, AnthropicLanguageModel)
    }
    default: {
      const limited = { ...settings, fetch: door(means.connect) }
      return sdkModel(await packaged(to, provider, limited, means), to)
    }
  }
}

function chat(
  where: Pick<Server, 'baseURL' | 'fetch'>,
  to: Addressee,
  { key, headers, structured_outputs, reasoning }: ProviderConfig,
): OpenModel {
  const signed = key ? { authorization: `Bearer ${key}` } : {}
  return chatModel(
    { ...where, headers: { ...signed, ...headers } },
    {
      ...to,
      hasSchemas: structured_outputs !== undefined,
      reasoning: reasoning ?? reasoningBack(where.baseURL),
    },
  )
}

/** Creates a language model from the provider's package. */
async function packaged(
  { kind, model: name }: Addressee,
  provider: ProviderConfig,
  settings: Settings,
  means: ModelMeans,
): Promise<LanguageModel> {
  switch (kind) {
    case 'google': {
      const { apiKey: key = '' } = settings
      const where = { provider: 'google.generative-ai', baseURL: GOOGLE }
      return google(name, { ...where, ...settings }, () => ({ 'x-goog-api-key': key }))
    }
    case 'vertex':
      return vertex(name, provider, settings, means)
    case 'amazon-bedrock':
      return bedrock(name, provider, settings, means)
    default:
      assert(false, `no package is loaded for provider kind ${kind}`)
  }
}

interface Settings {
  readonly baseURL?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly apiKey: string
  readonly fetch: typeof fetch
}

/** Opens a Bedrock model. Requests carry the key as a bearer token, or a signature. */
async function bedrock(
  name: string,
  provider: ProviderConfig,
  settings: Settings,
  { credentials }: ModelMeans,
): Promise<LanguageModel> {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
  const { key = '', region, access_key_id, secret_access_key, session_token } = provider
  const signed = async (): Promise<AwsCredentials> => {
    if (access_key_id === undefined || secret_access_key === undefined) {
      assert(credentials, 'a provider without keys requires a role')
      return credentials()
    }
    const keys = { accessKeyId: access_key_id, secretAccessKey: secret_access_key }
    return session_token === undefined ? keys : { ...keys, sessionToken: session_token }
  }
  const where = region === undefined ? {} : { region }
  return createAmazonBedrock({
    ...{ ...settings, ...where, apiKey: key },
    credentialProvider: async () => {
      const { accessKeyId, secretAccessKey, sessionToken } = await signed()
      const keys = { accessKeyId, secretAccessKey }
      return sessionToken === undefined ? keys : { ...keys, sessionToken }
    },
  })(name)
}

/** Opens a Vertex AI model with a service account token, or with a key in express mode. */
async function vertex(
  name: string,
  provider: ProviderConfig,
  settings: Settings,
  { connect }: ModelMeans,
): Promise<LanguageModel> {
  const { key, project, location, service_account } = provider
  const baseSettings = { provider: 'google.vertex.chat', ...settings }
  if (key !== undefined) {
    const where = { ...baseSettings, baseURL: settings.baseURL ?? EXPRESS }
    return google(name, where, () => ({ 'x-goog-api-key': key }))
  }
  assert(
    service_account && project && location,
    'a vertex provider requires a service account and a location',
  )
  const token = googleToken(service_account, connect)
  const where = { ...baseSettings, baseURL: settings.baseURL ?? addressOf(project, location) }
  return google(name, where, async () => ({ authorization: `Bearer ${await token()}` }))
}

const OPENAI = 'https://api.openai.com/v1'
const ANTHROPIC = 'https://api.anthropic.com/v1'
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta'
const EXPRESS = 'https://aiplatform.googleapis.com/v1/publishers/google'

/** Opens a Google model; `signed` returns the authentication headers. */
async function google(
  name: string,
  { provider, baseURL, headers, fetch }: Settings & { provider: string; baseURL: string },
  signed: () => Record<string, string> | Promise<Record<string, string>>,
): Promise<LanguageModel> {
  const { GoogleLanguageModel } = await import('@ai-sdk/google/internal')
  return new GoogleLanguageModel(name, {
    ...{ provider, baseURL, fetch, generateId: partId },
    headers: async () => ({ ...headers, ...(await signed()) }),
  })
}

/** Generates tool call IDs, which Google omits; the engine replaces them later. */
const partId = (): string => crypto.randomUUID()

/**
 * Returns the URL that receives the key of a provider; undefined if requests carry no key, such as
 * those of a binding or a service account.
 */
export function baseOf(provider: ProviderConfig): string | undefined {
  const { kind, base_url, key, region, account_id } = provider
  if (kind === 'vertex' && key === undefined) return undefined
  if (base_url !== undefined) return base_url
  switch (kind) {
    case 'openai':
      return OPENAI
    case 'anthropic':
      return ANTHROPIC
    case 'google':
      return GOOGLE
    case 'vertex':
      return EXPRESS
    case 'azure':
      return azureBase(provider)
    case 'amazon-bedrock':
      return `https://bedrock-runtime.${region}.amazonaws.com`
    case 'workers-ai':
      return account_id === undefined ? undefined : cloudflare(account_id)
    case 'openai-compatible':
      return undefined
  }
}

const cloudflare = (account_id: string): string =>
  `https://api.cloudflare.com/client/v4/accounts/${account_id}/ai/v1`

function addressOf(project: string, location: string): string {
  const host =
    location === 'global'
      ? 'aiplatform.googleapis.com'
      : ['eu', 'us'].includes(location)
        ? `aiplatform.${location}.rep.googleapis.com`
        : `${location}-aiplatform.googleapis.com`
  return `https://${host}/v1beta1/projects/${project}/locations/${location}/publishers/google`
}

function workersAi(
  { account_id }: ProviderConfig,
  { baseURL, fetch }: Settings,
  { ai }: ModelMeans,
): { readonly baseURL: string; readonly fetch: typeof globalThis.fetch } {
  if (account_id === undefined && baseURL === undefined) {
    assert(ai, 'a provider without an account requires the AI binding')
    return { baseURL: 'https://workers-ai.binding', fetch: bindingFetch(ai) }
  }
  return { baseURL: baseURL ?? cloudflare(account_id ?? ''), fetch }
}
