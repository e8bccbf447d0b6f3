/**
 * Implements the model port: each model call is one HTTP request, without a loop or a hidden retry.
 * Every failure is a value (`failure.ts`).
 */

import { bodiesOf } from '../../core/message.ts'
import { assert } from '../../lib/assert.ts'
import { byteLength } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Delta, Model, ModelAnswer, ModelFailure, ModelRequest } from '../../ports/world.ts'
import { AnswerBuilder } from './answer.ts'
import type { ModelConfig, ProviderConfig } from './config.ts'
import { embeddingOf } from './embed.ts'
import { MODEL_TIMES, ModelExchange, type ModelTimes, modelDoor } from './exchange.ts'
import { ABORTED, CUT, endedFailure, modelFailure } from './failure.ts'
import { type FoundModel, findModel } from './find.ts'
import { FirstModel } from './first-model.ts'
import { listModels } from './list.ts'
import { type ModelMeans, openModel } from './open.ts'
import { lackedPackage } from './packages.ts'
import { secretsOf } from './providers.ts'
import { schemaMeans } from './schema.ts'
import { modelSlots, withTenantKey } from './tenant-key.ts'
import type { OpenModel } from './types.ts'

type Options = Parameters<Model['respond']>[1]

/** Creates the model port; `connect` makes the requests within the time limits. */
export function createModel(
  config: ModelConfig,
  connect: typeof fetch = fetch,
  times: ModelTimes = MODEL_TIMES,
  means: Omit<ModelMeans, 'connect'> = {},
): Model {
  const models = new Map<string, Promise<OpenModel>>()
  const open = (foundModel: FoundModel, provider: ProviderConfig): Promise<OpenModel> => {
    const cached = models.get(foundModel.id)
    if (cached) return cached
    const opened = openModel(foundModel, provider, modelDoor, { connect, ...means })
    // A failed import of a provider's package must not be cached.
    opened.catch(() => models.delete(foundModel.id))
    models.set(foundModel.id, opened)
    return opened
  }
  const first = new FirstModel(config, connect)
  const lookUp = (reference: string | undefined) => findModel(config, reference, first.current)
  const find: Model['find'] = (reference, schema) => {
    const resolved = lookUp(reference)
    if (!resolved.ok) return resolved
    const { provider, name: _, guessed, ...info } = resolved.value
    const publicInfo = { ...info, ...(guessed ? { guessed } : {}) }
    if (schema === undefined) return ok(publicInfo)
    return ok({
      ...publicInfo,
      structured_output: schemaMeans(config.providers[provider]!, schema),
    })
  }
  const respond: Model['respond'] = async (request, options) => {
    await first.read()
    const resolved = lookUp(request.model)
    if (!resolved.ok) {
      const { message } = resolved.error
      const isAway = first.current?.ok === false
      if (isAway) return fail({ code: 'unavailable', message, retryable: true })
      return fail({ code: 'rejected', message, retryable: false })
    }
    const provider = config.providers[resolved.value.provider]
    assert(provider, 'the provider of a model was not found')
    const unfit = schemaUnfit(provider, request)
    if (unfit !== undefined) return fail({ code: 'rejected', message: unfit, retryable: false })
    const target = await withTenantKey(resolved.value.provider, provider, options.keys)
    if (!target.ok) return target
    return call(
      // A model with a tenant's key is opened for each call, so that no key stays in memory.
      () =>
        target.value === provider
          ? open(resolved.value, provider)
          : openModel(resolved.value, target.value, modelDoor, { connect, ...means }),
      { found: resolved.value, provider: target.value, times },
      request,
      options,
    )
  }
  const ready = config.first === undefined ? {} : { ready: () => first.read() }
  const embedding = embeddingOf(config, connect, times)
  const vectors = embedding === undefined ? {} : { embedding }
  const slots = modelSlots(config)
  return {
    find,
    respond,
    slots,
    ...vectors,
    list: () => listModels(config, first.current),
    ...ready,
  }
}

/**
 * Returns why the output schema cannot be sent to the provider, which would ignore or alter it;
 * undefined if it can be sent.
 */
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
  open: () => Promise<OpenModel>,
  { found: foundModel, provider, times }: Target,
  request: ModelRequest,
  { signal, onDelta }: Options,
): Promise<Outcome<ModelAnswer, ModelFailure>> {
  const failed = (error: unknown): ModelFailure => {
    if (signal.aborted) return ABORTED
    const ended = endedFailure(error)
    if (ended) return ended
    // An uninstalled package is reported when its import fails, for bundles that cannot check in
    // advance.
    if ((error as { code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND') {
      const lack = lackedPackage(provider.kind, () => false)
      return { code: 'rejected', message: `The model "${foundModel.id}" ${lack}`, retryable: false }
    }
    const secrets = secretsOf(provider)
    return modelFailure(error, { provider: foundModel.provider, secrets, now: Date.now() })
  }
  if (signal.aborted) return fail(ABORTED)
  const exchange = new ModelExchange(times, signal)
  const { deadline } = exchange
  // Forwards a delta of the answer; ignores deltas that arrive after the deadline.
  const forward = (delta: Delta): void => {
    if (!deadline.signal.aborted) onDelta(delta)
  }
  const answer = new AnswerBuilder(forward, () => requestBytes(request))
  try {
    const run = async (): Promise<void> => (await open())({ request, exchange, answer })
    await deadline.race(run())
    exchange.close()
    if (signal.aborted) return fail(ABORTED)
    const end = answer.result()
    if (end.ok) {
      const { model, ...content } = end.value
      return ok({ ...content, model: model ? `${foundModel.provider}/${model}` : foundModel.id })
    }
    const reason = end.error.type === 'cut' ? CUT : failed(end.error.error)
    return fail(end.error.usage ? { ...reason, usage: end.error.usage } : reason)
  } catch (error) {
    // The reason for the failure must be determined before the request is aborted.
    const failure = failed(deadline.ended ?? error)
    exchange.close(error)
    return fail(failure)
  }
}

/**
 * Returns the request's size in bytes, to estimate input usage if the provider reports none;
 * message bodies must be loaded.
 */
const requestBytes = ({ system, notes = '', messages, output_schema }: ModelRequest): number =>
  [
    system,
    notes,
    JSON.stringify(output_schema ?? ''),
    ...(messages.flatMap(bodiesOf) as string[]),
  ].reduce((sum, text) => sum + byteLength(text), 0)
