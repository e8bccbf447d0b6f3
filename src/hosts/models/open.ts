/**
 * One provider's package, imported when its first model is called, so that an unused one costs
 * nothing at start. Every package gets its key from us alone: with none it would read variables of
 * its own choice.
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
  const { base_url, headers } = provider
  const settings = {
    ...(base_url ? { baseURL: base_url } : {}),
    ...(headers ? { headers } : {}),
    apiKey: provider.key ?? 'none',
    fetch: door(means.connect),
  }
  switch (provider.kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(settings).responses(name)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(settings).languageModel(name)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(settings).languageModel(name)
    }
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
    case 'vertex':
      return vertex(name, provider, settings, means)
    case 'workers-ai':
      return compatible(called, name, workersAi(provider, settings, door, means))
    case 'openai-compatible': {
      assert(base_url, 'an openai-compatible provider needs a base URL')
      const { key, structured_outputs } = provider
      const { apiKey: _, ...open } = { ...settings, baseURL: base_url }
      const supportsStructuredOutputs = structured_outputs !== undefined
      const served = { ...open, supportsStructuredOutputs }
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
  const where = { ...(project ? { project } : {}), ...(location ? { location } : {}) }
  const { createVertex } = await import('@ai-sdk/google-vertex/edge')
  if (key !== undefined) return createVertex({ ...settings, ...where })(name)
  assert(service_account, 'a vertex provider needs a service account')
  const token = googleToken(service_account, connect)
  const signed: typeof fetch = async (input, init) => {
    const authorization = `Bearer ${await token()}`
    const { 'x-goog-api-key': _, ...kept } = Object.fromEntries(new Headers(init?.headers))
    return settings.fetch(input, { ...init, headers: { ...kept, authorization } })
  }
  // With a key the package neither asks for a token of its own nor reads variables; it needs the
  // whole address then, because express mode has no project.
  const base = settings.baseURL ?? addressOf(project ?? '', location ?? '')
  return createVertex({ ...settings, apiKey: 'none', baseURL: base, fetch: signed })(name)
}

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
  { account_id, key }: ProviderConfig,
  settings: Settings,
  door: Door,
  { ai }: ModelMeans,
): Settings & { readonly baseURL: string } {
  if (account_id === undefined && settings.baseURL === undefined) {
    assert(ai, 'a provider without an account needs the binding AI')
    return { baseURL: 'https://workers-ai.binding', fetch: door(bindingFetch(ai)) }
  }
  const rest = `https://api.cloudflare.com/client/v4/accounts/${account_id}/ai/v1`
  return { ...settings, baseURL: settings.baseURL ?? rest, apiKey: key ?? 'none' }
}
