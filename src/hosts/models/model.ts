/**
 * The model port on the AI SDK's provider packages: one `doStream` is one HTTP request, without a
 * loop and without a hidden retry. A provider's package is imported when its first model is called,
 * so an unused one costs nothing at start. Every failure is a value (`failure.ts`).
 */

import { bodiesOf } from '../../core/message.ts'
import { traceHeaders } from '../../core/trace/context.ts'
import { assert } from '../../lib/assert.ts'
import { byteLength } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Delta, Model, ModelAnswer, ModelFailure, ModelRequest } from '../../ports/world.ts'
import type { ModelConfig, ProviderConfig } from './config.ts'
import { embeddingOf } from './embed.ts'
import { MODEL_TIMES, ModelExchange, type ModelTimes, modelDoor } from './exchange.ts'
import { ABORTED, CUT, endedFailure, modelFailure } from './failure.ts'
import { type FoundModel, findModel } from './find.ts'
import { FirstModel } from './first-model.ts'
import { listModels } from './list.ts'
import { type ModelMeans, openModel } from './open.ts'
import { callOptions } from './prompt.ts'
import { secretsOf } from './providers.ts'
import { schemaMeans } from './schema.ts'
import { Collector } from './stream.ts'
import { modelSlots, withTenantKey } from './tenant-key.ts'
import type { LanguageModel } from './types.ts'

type Options = Parameters<Model['respond']>[1]

/** `connect` makes the calls, each within the times. */
export function createModel(
  config: ModelConfig,
  connect: typeof fetch = fetch,
  times: ModelTimes = MODEL_TIMES,
  means: Omit<ModelMeans, 'connect'> = {},
): Model {
  const models = new Map<string, Promise<LanguageModel>>()
  const anew = (found: FoundModel, provider: ProviderConfig): Promise<LanguageModel> =>
    openModel(found, provider, modelDoor, { connect, ...means })
  const open = (found: FoundModel, provider: ProviderConfig): Promise<LanguageModel> => {
    const known = models.get(found.id)
    if (known) return known
    const opened = anew(found, provider)
    // A failed import must not be remembered.
    opened.catch(() => models.delete(found.id))
    models.set(found.id, opened)
    return opened
  }
  const first = new FirstModel(config, connect)
  const lookUp = (reference: string | undefined) => findModel(config, reference, first.known)
  const find: Model['find'] = (reference, schema) => {
    const found = lookUp(reference)
    if (!found.ok) return found
    const { provider, name: _, guessed, ...info } = found.value
    const shown = { ...info, ...(guessed ? { guessed } : {}) }
    if (schema === undefined) return ok(shown)
    return ok({ ...shown, structured_output: schemaMeans(config.providers[provider]!, schema) })
  }
  const respond: Model['respond'] = async (request, options) => {
    await first.read()
    const found = lookUp(request.model)
    if (!found.ok) {
      const { message } = found.error
      const away = first.known?.ok === false
      if (away) return fail({ code: 'unavailable', message, retryable: true })
      return fail({ code: 'rejected', message, retryable: false })
    }
    const provider = config.providers[found.value.provider]
    assert(provider, 'a model was found without its provider')
    const unfit = schemaUnfit(provider, request)
    if (unfit !== undefined) return fail({ code: 'rejected', message: unfit, retryable: false })
    const keyed = await withTenantKey(found.value.provider, provider, options.keys)
    if (!keyed.ok) return keyed
    // One that holds a tenant's key serves this call alone.
    const opened = keyed.value === provider ? open : anew
    return call(
      () => opened(found.value, keyed.value),
      { found: found.value, provider: keyed.value, times },
      request,
      options,
    )
  }
  const ready = config.first === undefined ? {} : { ready: () => first.read() }
  const embedding = embeddingOf(config, connect, times)
  const vectors = embedding === undefined ? {} : { embedding }
  const list = () => listModels(config, first.known)
  return { find, respond, slots: modelSlots(config), ...vectors, list, ...ready }
}

/** Why the provider is not asked: it would not hold the answer to the schema, or bend it. */
function schemaUnfit(
  provider: ProviderConfig,
  { output_schema, tools }: ModelRequest,
): string | undefined {
  if (output_schema === undefined) return undefined
  const { native, only, reason } = schemaMeans(provider, output_schema)
  return native && (only === undefined || tools.length === 0) ? undefined : reason
}

interface Target {
  readonly found: FoundModel
  readonly provider: ProviderConfig
  readonly times: ModelTimes
}

async function call(
  open: () => Promise<LanguageModel>,
  { found, provider, times }: Target,
  request: ModelRequest,
  { signal, onDelta }: Options,
): Promise<Outcome<ModelAnswer, ModelFailure>> {
  const failed = (error: unknown): ModelFailure => {
    if (signal.aborted) return ABORTED
    const ended = endedFailure(error)
    if (ended) return ended
    const secrets = secretsOf(provider)
    return modelFailure(error, { provider: found.provider, secrets, now: Date.now() })
  }
  if (signal.aborted) return fail(ABORTED)
  const exchange = new ModelExchange(times, signal)
  const { deadline } = exchange
  const to = { kind: provider.kind, called: found.provider, model: found.name }
  const asked = callOptions(request, to)
  const headers = traceHeaders(request.traceparent)
  const options = { ...asked.options, abortSignal: deadline.signal, headers }
  const answered = async (): Promise<ReturnType<Collector['end']>> => {
    const { stream } = await (await open()).doStream(options)
    const sent = () => requestBytes(request)
    return collect(stream, exchange, onDelta, sent)
  }
  try {
    const end = await deadline.race(answered())
    exchange.close()
    if (signal.aborted) return fail(ABORTED)
    if (end.ok) {
      const { model, warnings = [], ...answer } = end.value
      const told = [...asked.warnings, ...warnings]
      const named = { ...answer, model: model ? `${found.provider}/${model}` : found.id }
      return ok(told.length === 0 ? named : { ...named, warnings: told })
    }
    const reason = end.error.type === 'cut' ? CUT : failed(end.error.error)
    return fail(end.error.usage ? { ...reason, usage: end.error.usage } : reason)
  } catch (error) {
    // What ended it is said before the request is given up for it.
    const failure = failed(deadline.ended ?? error)
    exchange.close(error)
    return fail(failure)
  }
}

/** The usage when a provider does not report its input; bodies are loaded. */
const requestBytes = ({ system, notes = '', messages, output_schema }: ModelRequest): number =>
  [
    system,
    notes,
    JSON.stringify(output_schema ?? ''),
    ...(messages.flatMap(bodiesOf) as string[]),
  ].reduce((sum, text) => sum + byteLength(text), 0)

/** Reads to the very end even after the finish part: only then is the connection free again. */
async function collect(
  stream: Awaited<ReturnType<LanguageModel['doStream']>>['stream'],
  exchange: ModelExchange,
  onDelta: (delta: Delta) => void,
  sent: () => number,
): Promise<ReturnType<Collector['end']>> {
  const { signal } = exchange.deadline
  // Parts after its time are ignored.
  const collector = new Collector((delta) => {
    if (!signal.aborted) onDelta(delta)
  }, sent)
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return collector.end()
    collector.take(value)
    exchange.keep(collector.bytes)
  }
}
