/**
 * Address of an Azure OpenAI resource.
 * https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle (read 2026-11-23)
 */

import type { ProviderConfig } from './providers.ts'

interface AzureAddress {
  /** URL of the Responses API. */
  readonly responses: string
  /** Projects of AI Foundry require a `type` in each message. */
  readonly isProject: boolean
}

const HOSTS = ['.openai.azure.com', '.services.ai.azure.com', '.cognitiveservices.azure.com']

/** Returns the URL of a resource without a trailing slash. */
export const azureBase = ({ base_url, resource }: ProviderConfig): string =>
  (base_url ?? `https://${resource}.openai.azure.com/openai`).replace(/\/+$/, '')

/** Returns the address of the Responses API. Gateways have neither the version path nor its query. */
export function azureAddress(provider: ProviderConfig): AzureAddress {
  const base = azureBase(provider)
  const { hostname, pathname } = new URL(base)
  const isAzure = HOSTS.some((suffix) => hostname.endsWith(suffix))
  const isProject =
    hostname.endsWith('.services.ai.azure.com') && pathname.startsWith('/api/projects/')
  if (!isAzure || pathname.toLowerCase().endsWith('/openai/v1'))
    return { responses: `${base}/responses`, isProject }
  const version = encodeURIComponent(provider.api_version ?? 'v1')
  const query = isProject ? '' : `?api-version=${version}`
  return { responses: `${base}/v1/responses${query}`, isProject }
}
