/**
 * Vectors of texts, by the model that the alias `Embedding` names: for search in memory. Providers
 * whose servers speak OpenAI's `/embeddings` are asked (`openai`, `openai-compatible`, `workers-ai`
 * by REST); a model of another one is refused in a sentence, and search does with words alone.
 */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Embedding, ModelFailure } from '../../ports/world.ts'
import type { ModelConfig, ProviderConfig } from './config.ts'
import { ModelExchange, type ModelTimes, modelDoor } from './exchange.ts'
import { ABORTED, endedFailure, modelFailure } from './failure.ts'
import { type FoundModel, findModel } from './find.ts'
import { addressOf } from './open.ts'
import { secretsOf } from './providers.ts'
import { withTenantKey } from './tenant-key.ts'

const ALIAS = 'Embedding'

export function embeddingOf(
  config: ModelConfig,
  connect: typeof fetch,
  times: ModelTimes,
): Embedding | undefined {
  if (!Object.hasOwn(config.aliases, ALIAS)) return undefined
  const found = findModel(config, ALIAS)
  if (!found.ok) return refusing(ALIAS, found.error.message)
  const provider = config.providers[found.value.provider]!
  const base = SPEAKS.has(provider.kind) ? addressOf(provider)?.replace(/\/+$/, '') : undefined
  const { id } = found.value
  if (base === undefined) return refusing(id, `${provider.kind} gives no vectors here`)
  return {
    model: id,
    async embed(texts, signal, keys) {
      const keyed = await withTenantKey(found.value.provider, provider, keys)
      if (!keyed.ok) return keyed
      const target = { found: found.value, provider: keyed.value, base, connect, times }
      return embed(target, texts, signal)
    },
  }
}

const refusing = (model: string, message: string): Embedding => ({
  model,
  embed: async () => fail({ code: 'rejected', message, retryable: false }),
})

const SPEAKS: ReadonlySet<string> = new Set(['openai', 'openai-compatible', 'workers-ai'])

interface Target {
  readonly found: FoundModel
  readonly provider: ProviderConfig
  readonly base: string
  readonly connect: typeof fetch
  readonly times: ModelTimes
}

async function embed(
  { found, provider, base, connect, times }: Target,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Outcome<readonly (readonly number[])[], ModelFailure>> {
  if (signal.aborted) return fail(ABORTED)
  const exchange = new ModelExchange(times, signal)
  try {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const { key, headers } = provider
    const model = createOpenAICompatible({
      ...{ name: found.provider, baseURL: base, fetch: modelDoor(connect) },
      ...(key ? { apiKey: key } : {}),
      ...(headers ? { headers } : {}),
    }).embeddingModel(found.name)
    const asked = model.doEmbed({ values: [...texts], abortSignal: exchange.deadline.signal })
    const { embeddings } = await exchange.deadline.race(Promise.resolve(asked))
    exchange.close()
    if (embeddings.length === texts.length) return ok(embeddings)
    const message = `${texts.length} texts have ${embeddings.length} vectors`
    return fail({ code: 'rejected', message, retryable: false })
  } catch (error) {
    const cause = exchange.deadline.ended ?? error
    const ended = endedFailure(cause)
    const about = { provider: found.provider, secrets: secretsOf(provider), now: Date.now() }
    exchange.close(error)
    return fail(signal.aborted ? ABORTED : (ended ?? modelFailure(cause, about)))
  }
}
