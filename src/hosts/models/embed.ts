/**
 * Computes embeddings for memory search with the model of the alias `Embedding`. Supports providers
 * that have OpenAI's `/embeddings` endpoint (`openai`, `openai-compatible`, `workers-ai` over
 * REST). Other models are rejected with a message, and search falls back to keywords.
 */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Embedding, ModelFailure } from '../../ports/world.ts'
import type { ModelConfig, ProviderConfig } from './config.ts'
import { ModelExchange, type ModelTimes, modelDoor } from './exchange.ts'
import { ABORTED, endedFailure, modelFailure } from './failure.ts'
import { type FoundModel, findModel } from './find.ts'
import { secretsOf } from './providers.ts'
import { withTenantKey } from './tenant-key.ts'
import { recordOf } from './wire/json.ts'
import { post } from './wire/post.ts'

const ALIAS = 'Embedding'
const OPENAI = 'https://api.openai.com/v1'

export function embeddingOf(
  config: ModelConfig,
  connect: typeof fetch,
  times: ModelTimes,
): Embedding | undefined {
  if (!Object.hasOwn(config.aliases, ALIAS)) return undefined
  const foundModel = findModel(config, ALIAS)
  if (!foundModel.ok) return refusing(ALIAS, foundModel.error.message)
  const provider = config.providers[foundModel.value.provider]!
  const base = addressOf(provider)
  const { id } = foundModel.value
  if (base === undefined) return refusing(id, `embeddings of ${provider.kind} are not supported`)
  return {
    model: id,
    embed: async (texts, signal, keys) => {
      const resolved = await withTenantKey(foundModel.value.provider, provider, keys)
      if (!resolved.ok) return resolved
      const target = { found: foundModel.value, provider: resolved.value, base, connect, times }
      return embed(target, texts, signal)
    },
  }
}

const refusing = (model: string, message: string): Embedding => ({
  model,
  embed: async () => fail({ code: 'rejected', message, retryable: false }),
})

function addressOf({ kind, base_url, account_id }: ProviderConfig): string | undefined {
  const customBase = base_url?.replace(/\/+$/, '')
  if (kind === 'openai') return customBase ?? OPENAI
  if (kind === 'openai-compatible') return customBase
  if (kind !== 'workers-ai') return undefined
  const defaultBase = `https://api.cloudflare.com/client/v4/accounts/${account_id}/ai/v1`
  return customBase ?? (account_id === undefined ? undefined : defaultBase)
}

interface Target {
  readonly found: FoundModel
  readonly provider: ProviderConfig
  readonly base: string
  readonly connect: typeof fetch
  readonly times: ModelTimes
}

async function embed(
  { found: foundModel, provider, base, connect, times }: Target,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Outcome<readonly (readonly number[])[], ModelFailure>> {
  if (signal.aborted) return fail(ABORTED)
  const exchange = new ModelExchange(times, signal)
  try {
    const vectors = await exchange.deadline.race(
      ask({ provider, base, connect }, foundModel.name, texts, exchange),
    )
    exchange.close()
    if (vectors?.length === texts.length) return ok(vectors)
    const received = vectors === undefined ? 'no vectors' : `${vectors.length} vectors`
    return fail({
      code: 'rejected',
      message: `the provider returned ${received} for ${texts.length} texts`,
      retryable: false,
    })
  } catch (error) {
    const cause = exchange.deadline.ended ?? error
    const ended = endedFailure(cause)
    const about = { provider: foundModel.provider, secrets: secretsOf(provider), now: Date.now() }
    exchange.close(error)
    return fail(signal.aborted ? ABORTED : (ended ?? modelFailure(cause, about)))
  }
}

/**
 * Requests embeddings; returns the vectors, or undefined if the response contains none.
 * https://developers.openai.com/api/reference/resources/embeddings (read 2026-11-28).
 */
async function ask(
  { provider, base: baseURL, connect }: Pick<Target, 'provider' | 'base' | 'connect'>,
  model: string,
  input: readonly string[],
  exchange: ModelExchange,
): Promise<readonly (readonly number[])[] | undefined> {
  const { key, headers: customHeaders } = provider
  const headers = { ...(key ? { authorization: `Bearer ${key}` } : {}), ...customHeaders }
  const body = { model, input, encoding_format: 'float' }
  const server = { baseURL, headers, fetch: modelDoor(connect) }
  const stream = await post(server, '/embeddings', body, { exchange })
  const read = recordOf(JSON.parse(await new Response(stream).text()))
  if (!Array.isArray(read.data)) return undefined
  const vectors = read.data.map((item) => recordOf(item).embedding)
  return vectors.every(isVector) ? vectors : undefined
}

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')
