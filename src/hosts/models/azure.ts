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

/**
 * Returns the address of the Responses API. Gateways have neither the version path nor its query,
 * and the endpoint that Azure's portal shows has no path. An `api_version` that is set is sent.
 */
export function azureAddress(provider: ProviderConfig): AzureAddress {
  const base = azureBase(provider)
  const { hostname, pathname } = new URL(base)
  const isAzure = HOSTS.some((suffix) => hostname.endsWith(suffix))
  const isProject =
    hostname.endsWith('.services.ai.azure.com') && pathname.startsWith('/api/projects/')
  const hasPath = !isAzure || pathname.toLowerCase().endsWith('/openai/v1')
  const folder = isAzure && pathname === '/' ? '/openai/v1' : '/v1'
  const version = provider.api_version ?? (hasPath || isProject ? undefined : 'v1')
  const query = version === undefined ? '' : `?api-version=${encodeURIComponent(version)}`
  return { responses: `${base}${hasPath ? '' : folder}/responses${query}`, isProject }
}
