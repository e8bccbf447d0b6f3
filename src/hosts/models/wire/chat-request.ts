/**
 * Builds the request body for chat completions.
 * https://developers.openai.com/api/reference/resources/chat (read 2026-11-28).
 */

import { type Media, modalityOf } from '../../../core/media.ts'
import type { AssistantPart, Message } from '../../../core/message.ts'
import type { ModelSettings } from '../../../core/model-settings.ts'
import type { ModelRequest } from '../../../ports/world.ts'
import { callIds, loaded, writtenArguments } from '../conversation.ts'
import type { ProviderKind } from '../providers.ts'
import type { ReasoningBack } from '../reasoning.ts'
import { holdsStrictly } from '../schema.ts'
import { isRecord, type JsonObject } from './json.ts'

export interface ChatAddressee {
  readonly kind: ProviderKind
  /** Name of the provider in this deployment. */
  readonly called: string
  /** Vendor's name for the model. */
  readonly model: string
  /** Whether the server enforces a JSON Schema on answers. */
  readonly hasSchemas: boolean
  readonly reasoning: ReasoningBack
}

/** Returns the request body, and the settings that the chat dialect cannot express. */
export function chatBody(
  request: ModelRequest,
  to: ChatAddressee,
): { readonly body: JsonObject; readonly warnings: readonly string[] } {
  const { settings = {}, tools, output_schema } = request
  const { thinking_budget } = settings
  const { strictJsonSchema, ...options } = optionsOf(settings, to)
  const warnings =
    thinking_budget === undefined
      ? []
      : [`${to.kind} does not support thinking_budget; the setting was not sent`]
  const body = {
    model: to.model,
    ...settingMembers(settings),
    ...(output_schema ? { response_format: formatOf(output_schema, to, strictJsonSchema) } : {}),
    ...options,
    messages: messagesOf(request, to),
    ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
    stream: true,
    stream_options: { include_usage: true },
  }
  return { body, warnings }
}

function settingMembers(settings: ModelSettings): JsonObject {
  const { temperature, top_p, max_output_tokens, reasoning_effort, stop, seed } = settings
  const { parallel_tool_calls } = settings
  return {
    max_tokens: max_output_tokens,
    ...{ temperature, top_p, stop, seed, reasoning_effort, parallel_tool_calls },
  }
}

/** AI SDK option names, as documented for settings, mapped to request members. */
const RENAMED: Readonly<Record<string, string>> = {
  reasoningEffort: 'reasoning_effort',
  textVerbosity: 'verbosity',
}

/**
 * Returns the provider options as request members; members without a special meaning are passed to
 * the server unchanged.
 */
function optionsOf({ provider_options }: ModelSettings, { kind }: ChatAddressee): JsonObject {
  const entries = Object.entries(provider_options?.[kind] ?? {})
  return Object.fromEntries(entries.map(([name, value]) => [RENAMED[name] ?? name, value]))
}

function formatOf(schema: JsonObject, { hasSchemas }: ChatAddressee, strict: unknown): JsonObject {
  if (!hasSchemas) return { type: 'json_object' }
  const isStrict = strict ?? holdsStrictly(schema)
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: isStrict } }
}

const toolOf = ({ name, description, input_schema }: ModelRequest['tools'][number]) => ({
  type: 'function',
  function: { name, description, parameters: input_schema },
})

function messagesOf(request: ModelRequest, to: ChatAddressee): JsonObject[] {
  const ids = callIds(request.messages, to.kind)
  const messages: JsonObject[] = []
  if (request.system !== '') messages.push({ role: 'system', content: request.system })
  if (request.notes !== undefined) messages.push({ role: 'system', content: request.notes })
  for (const message of request.messages) messages.push(...asSent(message, ids, to))
  return messages
}

function asSent(
  message: Message,
  ids: ReadonlyMap<string, string>,
  to: ChatAddressee,
): JsonObject[] {
  if (message.role === 'user') return [userMessage(loaded(message.text), message.media)]
  if (message.role === 'assistant') return assistantMessage(message.parts, ids, to)
  const results = message.results.map(({ call, text }) => ({
    role: 'tool',
    tool_call_id: ids.get(call) ?? call,
    content: loaded(text),
  }))
  // The chat dialect allows no media in a tool result; media follow in a message that names the
  // tool.
  const mediaParts = message.results.flatMap(({ tool, media = [] }) =>
    media.length === 0 ? [] : [textPart(`[Result of ${tool}:]`), ...media.map(filePart)],
  )
  return mediaParts.length === 0 ? results : [...results, { role: 'user', content: mediaParts }]
}

const userMessage = (text: string, media: readonly Media[] = []): JsonObject => ({
  role: 'user',
  content: media.length === 0 ? text : [textPart(text), ...media.map(filePart)],
})

const textPart = (text: string): JsonObject => ({ type: 'text', text })

function filePart({ media_type, data, name }: Media): JsonObject {
  const base64 = Buffer.from(data).toString('base64')
  const url = `data:${media_type};base64,${base64}`
  switch (modalityOf(media_type)) {
    case 'image':
      return { type: 'image_url', image_url: { url } }
    case 'audio': {
      const format = media_type === 'audio/wav' ? 'wav' : 'mp3'
      return { type: 'input_audio', input_audio: { data: base64, format } }
    }
    case 'pdf':
      return { type: 'file', file: { filename: name ?? 'document.pdf', file_data: url } }
  }
}

function assistantMessage(
  parts: readonly AssistantPart[],
  ids: ReadonlyMap<string, string>,
  { called: providerName, reasoning: back }: ChatAddressee,
): JsonObject[] {
  let [content, reasoning] = ['', '']
  const calls: JsonObject[] = []
  for (const part of parts) {
    if (part.type === 'text') content += loaded(part.text)
    else if (part.type === 'reasoning') reasoning += loaded(part.text)
    else {
      calls.push({
        id: ids.get(part.id) ?? part.id,
        type: 'function',
        function: { name: part.tool, arguments: writtenArguments(loaded(part.arguments)) },
        ...extraOf(part.provider, providerName),
      })
    }
  }
  if (back === 'never') reasoning = ''
  if (content === '' && reasoning === '' && calls.length === 0) return []
  const goesBack = back === 'always' || reasoning !== ''
  return [
    {
      role: 'assistant',
      content: content === '' && calls.length > 0 ? null : content,
      ...(goesBack ? { reasoning_content: reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

/** Returns the data that the vendor sent with a tool call, unchanged. */
function extraOf(provider: unknown, providerName: string): JsonObject {
  const data = isRecord(provider) ? provider[providerName] : undefined
  const extra_content = isRecord(data) ? data.extra_content : undefined
  return extra_content === undefined ? {} : { extra_content }
}
