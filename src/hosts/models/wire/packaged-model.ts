/**
 * Combines requests built by an AI SDK package with the answer readers in this folder, because the
 * package knows the options of each model.
 */

import type { AnthropicLanguageModel } from '@ai-sdk/anthropic/internal'
import type { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal'
import { type Addressee, callOptions } from '../prompt.ts'
import { warningText } from '../settings.ts'
import type { OpenModel } from '../types.ts'
import { readEvents } from './events.ts'
import { MessagesReader } from './messages.ts'
import { post, type Server } from './post.ts'
import { ResponsesReader } from './responses.ts'

/** Variant of the Responses API. */
interface ResponsesApi {
  /** Name of the provider in the package, which determines its options. */
  readonly provider: string
  readonly url: string
  /** Prefixes of the vendor's file IDs. */
  readonly files: readonly string[]
  /** Whether each message requires a `type`. */
  readonly needsTypes?: boolean
}

export const responsesModel =
  (
    server: Pick<Server, 'fetch' | 'headers'>,
    to: Addressee,
    { provider, url, files, needsTypes = false }: ResponsesApi,
    builder: typeof OpenAIResponsesLanguageModel,
  ): OpenModel =>
  async ({ request, exchange, answer }) => {
    const { options, warnings } = callOptions(request, to)
    const { args, warnings: more } = await builder.prepareRequest({
      modelId: to.model,
      config: {
        ...{ provider, url: () => url, headers: () => ({}) },
        ...{ fileIdPrefixes: files, explicitMessageItemType: needsTypes },
      },
      options,
    })
    answer.warn([...warnings, ...more.map(warningText)])
    const body = { ...args, stream: true }
    const stream = await post({ ...server, baseURL: url }, '', body, { request, exchange })
    const reader = new ResponsesReader(answer)
    if (stream) await readEvents(stream, reader, exchange)
    reader.end()
  }

export const messagesModel =
  (server: Server, to: Addressee, builder: typeof AnthropicLanguageModel): OpenModel =>
  async ({ request, exchange, answer }) => {
    const { options, warnings } = callOptions(request, to)
    const { 'anthropic-beta': callerBetas = '', ...headers } = server.headers
    const userSuppliedBetas = new Set(callerBetas.split(',').flatMap((beta) => beta.trim() || []))
    const {
      args,
      betas,
      warnings: more,
    } = await builder.prepareRequest({
      modelId: to.model,
      config: { provider: 'anthropic.messages', baseURL: server.baseURL, headers: () => ({}) },
      options: { ...options, stream: true, userSuppliedBetas },
    })
    answer.warn([...warnings, ...more.map(warningText)])
    const beta = betas.size > 0 ? { 'anthropic-beta': [...betas].join(',') } : {}
    const betaServer = { ...server, headers: { ...headers, ...beta } }
    const body = { ...args, stream: true }
    const stream = await post(betaServer, '/messages', body, { request, exchange })
    const reader = new MessagesReader(answer)
    if (stream) await readEvents(stream, reader, exchange)
    reader.end()
  }
