/** Attributes by OpenTelemetry's conventions for generative AI, as of 1.41 (in development there). */

import type { Usage } from '../message.ts'
import type { Span } from './span.ts'

type Attributes = Span['attributes']

/** The conventions' names of providers whose kinds are known; others go by their own. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  azure: 'azure.ai.openai',
  'amazon-bedrock': 'aws.bedrock',
}

/** `asked` and `answered`: `provider/model`. */
export function modelAttributes(
  requestedModel: string | undefined,
  answeredModel?: string,
): Attributes {
  if (requestedModel === undefined) return {}
  const [provider, model] = split(requestedModel)
  return {
    'gen_ai.provider.name': PROVIDERS[provider] ?? provider,
    'gen_ai.request.model': model,
    'gen_ai.response.model': answeredModel === undefined ? undefined : split(answeredModel)[1],
  }
}

export const usageAttributes = (usage: Usage): Attributes => ({
  'gen_ai.usage.input_tokens': usage.input_tokens,
  'gen_ai.usage.output_tokens': usage.output_tokens,
  'gen_ai.usage.cache_read.input_tokens': usage.cache_read_tokens,
  'gen_ai.usage.cache_creation.input_tokens': usage.cache_write_tokens,
  'gen_ai.usage.reasoning.output_tokens': usage.reasoning_tokens,
  'strata.cost_usd': usage.list_price,
})

function split(id: string): readonly [string, string] {
  const at = id.indexOf('/')
  return at < 0 ? ['', id] : [id.slice(0, at), id.slice(at + 1)]
}
