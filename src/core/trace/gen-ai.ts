/**
 * Span attributes as defined by OpenTelemetry's generative AI conventions, version 1.41 (status:
 * development).
 */

import type { Usage } from '../message.ts'
import type { Span } from './span.ts'

type Attributes = Span['attributes']

/** Provider names that the conventions define. Other providers keep their configured names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  azure: 'azure.ai.openai',
  'amazon-bedrock': 'aws.bedrock',
}

/** Returns the span attributes of a model call. Model names have the form `provider/model`. */
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
