/**
 * One provider's package, imported when its first model is called, so that an unused one costs
 * nothing at start. Of OpenAI, Anthropic and Google the door for other packages of the SDK is taken
 * (`/internal`): it has the language model alone, which those of Azure and Amazon use too, so that a
 * Worker holds one copy; and it reads no variables of its own choice.
 */

import { assert } from '../../lib/assert.ts'
import type { FoundModel } from './find.ts'
import type { ProviderConfig } from './providers.ts'
import { googleToken } from './service-account.ts'
import type { LanguageModel } from './types.ts'
import { type AiBinding, bindingFetch } from './workers-ai.ts'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** Means of the place where this runs. */
export interface ModelMeans {
  /** `fetch` to models; those of a provider go through nothing else. */
  readonly connect: typeof fetch
  /** Signs requests to Amazon by the role of the process. */
  readonly credentials?: (() => Promise<AwsCredentials>) | undefined
  /** A Worker's binding for Workers AI. */
  readonly ai?: AiBinding | undefined
}

/** Bounds a connection by the call that it is made for. */
type Door = (connect: typeof fetch) => typeof fetch

export async function openModel(
  { name, provider: called }: FoundModel,
  provider: ProviderConfig,
  door: Door,
  means: ModelMeans,
): Promise<LanguageModel> {
  const settings: Settings = {
    ...(provider.base_url ? { baseURL: provider.base_url.replace(/\/+$/, '') } : {}),
    ...(provider.headers ? { headers: provider.headers } : {}),
    apiKey: provider.key ?? 'none',
    fetch: door(means.connect),
  }
  switch (provider.kind) {
    case 'openai':
      return openai(name, settings)
    case 'anthropic':
      return anthropic(name, settings)
    case 'google': {
      const { apiKey: key = '' } = settings
      const where = { provider: 'google.generative-ai', baseURL: GOOGLE }
      return google(name, { ...where, ...settings }, () => ({ 'x-goog-api-key': key }))
    }
    case 'vertex':
      return vertex(name, provider, settings, means)
    case 'azure': {
      const { createAzure } = await import('@ai-sdk/azure')
      const { resource, api_version } = provider
      const where = {
        ...(resource ? { resourceName: resource } : {}),
        ...(api_version ? { apiVersion: api_version } : {}),
      }
      return createAzure({ ...settings, ...where }).responses(name)
    }
    case 'amazon-bedrock':
      return bedrock(name, provider, settings, means)
    case 'workers-ai':
      return compatible(called, name, workersAi(provider, settings, door, means))
    case 'openai-compatible': {
      const { key, structured_outputs } = provider
      const { apiKey: _, baseURL, ...open } = settings
      assert(baseURL, 'an openai-compatible provider needs a base URL')
      const supportsStructuredOutputs = structured_outputs !== undefined
      const served = { ...open, baseURL, supportsStructuredOutputs }
      return compatible(called, name, key ? { ...served, apiKey: key } : served)
    }
  }
}

interface Settings {
  readonly baseURL?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly apiKey?: string
  readonly fetch: typeof fetch
}

async function compatible(
  called: string,
  name: string,
  settings: Settings & { readonly baseURL: string; readonly supportsStructuredOutputs?: boolean },
): Promise<LanguageModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...settings, name: called, includeUsage: true })(name)
}

/** A key of Amazon Bedrock is a bearer token; else requests are signed. */
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
      assert(credentials, 'a provider without keys needs a role')
      return credentials()
    }
    const given = { accessKeyId: access_key_id, secretAccessKey: secret_access_key }
    return session_token === undefined ? given : { ...given, sessionToken: session_token }
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

/** By the token of a service account, or in express mode by a key. */
async function vertex(
  name: string,
  provider: ProviderConfig,
  settings: Settings,
  { connect }: ModelMeans,
): Promise<LanguageModel> {
  const { key, project, location, service_account } = provider
  const called = { provider: 'google.vertex.chat', ...settings }
  if (key !== undefined) {
    const where = { ...called, baseURL: settings.baseURL ?? EXPRESS }
    return google(name, where, () => ({ 'x-goog-api-key': key }))
  }
  assert(service_account && project && location, 'a vertex provider needs an account and a place')
  const token = googleToken(service_account, connect)
  const where = { ...called, baseURL: settings.baseURL ?? vertexAddress(project, location) }
  return google(name, where, async () => ({ authorization: `Bearer ${await token()}` }))
}

const OPENAI = 'https://api.openai.com/v1'
const ANTHROPIC = 'https://api.anthropic.com/v1'
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta'
const EXPRESS = 'https://aiplatform.googleapis.com/v1/publishers/google'

/** `signed`: the headers that prove who asks. */
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

/** Google names no calls: the package does, and the engine names them anew. */
const partId = (): string => crypto.randomUUID()

async function openai(
  name: string,
  { baseURL = OPENAI, headers, apiKey, fetch }: Settings,
): Promise<LanguageModel> {
  const { OpenAIResponsesLanguageModel } = await import('@ai-sdk/openai/internal')
  return new OpenAIResponsesLanguageModel(name, {
    ...{ provider: 'openai.responses', baseURL, fetch, fileIdPrefixes: ['file-'] },
    url: ({ path }) => `${baseURL}${path}`,
    headers: () => ({ Authorization: `Bearer ${apiKey}`, ...headers }),
  })
}

async function anthropic(
  name: string,
  { baseURL = ANTHROPIC, headers, apiKey = '', fetch }: Settings,
): Promise<LanguageModel> {
  const { AnthropicLanguageModel } = await import('@ai-sdk/anthropic/internal')
  const own = { 'anthropic-version': '2023-06-01', 'x-api-key': apiKey }
  return new AnthropicLanguageModel(name, {
    ...{ provider: 'anthropic.messages', baseURL, fetch },
    headers: () => ({ ...own, ...headers }),
  })
}

/** Where requests with a key are sent; undefined: none is. */
export function addressOf(provider: ProviderConfig): string | undefined {
  const { kind, base_url, resource, region, account_id } = provider
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
      return `https://${resource}.openai.azure.com/openai`
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

function vertexAddress(project: string, location: string): string {
  const host =
    location === 'global'
      ? 'aiplatform.googleapis.com'
      : ['eu', 'us'].includes(location)
        ? `aiplatform.${location}.rep.googleapis.com`
        : `${location}-aiplatform.googleapis.com`
  return `https://${host}/v1beta1/projects/${project}/locations/${location}/publishers/google`
}

function workersAi(
  { account_id, key }: ProviderConfig,
  settings: Settings,
  door: Door,
  { ai }: ModelMeans,
): Settings & { readonly baseURL: string } {
  if (account_id === undefined && settings.baseURL === undefined) {
    assert(ai, 'a provider without an account needs the binding AI')
    return { baseURL: 'https://workers-ai.binding', fetch: door(bindingFetch(ai)) }
  }
  const baseURL = settings.baseURL ?? cloudflare(account_id!)
  return { ...settings, baseURL, apiKey: key ?? 'none' }
}
