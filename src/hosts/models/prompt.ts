/**
 * Converts messages and tools to the prompt of an AI SDK language model. Reasoning parts and opaque
 * provider data are sent back unchanged. Opaque data is keyed by provider name, so a provider
 * ignores the data of other providers.
 */

import type { Media } from '../../core/media.ts'
import type { Message } from '../../core/message.ts'
import type { ModelRequest } from '../../ports/world.ts'
import type { ProviderKind } from './config.ts'
import { argumentsOf, callIds, loaded } from './conversation.ts'
import { schemaOptions } from './schema.ts'
import { settingOptions } from './settings.ts'
import type { CallOptions, Prompt, ProviderOptions } from './types.ts'

type AssistantContent = Extract<Prompt[number], { role: 'assistant' }>['content']
type UserContent = Extract<Prompt[number], { role: 'user' }>['content']
type FileContent = Extract<UserContent[number], { type: 'file' }>
type ToolResults = Extract<Message, { role: 'tool' }>['results']
type ToolContent = Extract<Prompt[number], { role: 'tool' }>['content']

/**
 * Properties of a provider that affect its prompts; `called` is the provider's name in this
 * deployment.
 */
export interface Addressee {
  readonly kind: ProviderKind
  readonly called: string
  readonly model: string
}

/**
 * Returns the call options without the abort signal, and the settings that the provider does not
 * support.
 */
export function callOptions(
  request: ModelRequest,
  to: Addressee,
): { readonly options: CallOptions; readonly warnings: readonly string[] } {
  const { output_schema } = request
  const { kind, called: providerName } = to
  const shaped = output_schema ? schemaOptions(kind, output_schema) : {}
  const settings = settingOptions(request.settings, kind, providerName)
  const providerOptions = merged(settings.provider, shaped.providerOptions, OURS[kind])
  const options = {
    ...settings.options,
    ...shaped,
    prompt: cached(promptOf(request, kind), to),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toolOf) } : {}),
    ...(Object.keys(providerOptions).length > 0 ? { providerOptions } : {}),
  }
  return { options, warnings: settings.warnings }
}

/**
 * Options sent with each call. Each call sends the whole conversation, so the provider must store
 * nothing. Without a cache mark, each step pays the full price for the conversation so far.
 */
const OURS: Readonly<Partial<Record<ProviderKind, ProviderOptions>>> = {
  openai: { openai: { store: false } },
  azure: { azure: { store: false } },
  anthropic: { anthropic: { cacheControl: { type: 'ephemeral' } } },
}

/** Merges provider options; later values override earlier ones. */
function merged(...all: readonly (ProviderOptions | undefined)[]): ProviderOptions {
  const out: Record<string, ProviderOptions[string]> = {}
  for (const [name, options] of all.flatMap((group) => Object.entries(group ?? {}))) {
    out[name] = { ...out[name], ...options }
  }
  return out
}

const CACHE_POINT: ProviderOptions = { amazonBedrock: { cachePoint: { type: 'default' } } }
const CACHE_CONTROL: ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/**
 * Marks content that later calls repeat, so that the provider caches it: an agent's prompt and
 * tools, and the conversation on Bedrock. Anthropic marks the conversation automatically on
 * request; other vendors need no marks or have no cache.
 */
function cached(prompt: Prompt, { kind, model }: Addressee): Prompt {
  // Other models on Bedrock reject a request that contains a cache point.
  const bedrock = kind === 'amazon-bedrock' && /anthropic\.claude|amazon\.nova/.test(model)
  if (!bedrock && kind !== 'anthropic') return prompt
  const mark = bedrock ? CACHE_POINT : CACHE_CONTROL
  const system = prompt.findLastIndex(({ role }) => role === 'system')
  return prompt.map((message, index) =>
    index === system || (bedrock && index === prompt.length - 1)
      ? { ...message, providerOptions: { ...message.providerOptions, ...mark } }
      : message,
  )
}

function toolOf(tool: ModelRequest['tools'][number]): NonNullable<CallOptions['tools']>[number] {
  const { name, description, input_schema } = tool
  return { type: 'function', name, description, inputSchema: input_schema }
}

function promptOf(request: ModelRequest, kind: ProviderKind): Prompt {
  const ids = callIds(request.messages, kind)
  const prompt: Prompt = []
  if (request.system !== '') prompt.push({ role: 'system', content: request.system })
  if (request.notes !== undefined) prompt.push({ role: 'system', content: request.notes })
  for (const message of request.messages) {
    if (message.role === 'user') {
      const text = loaded(message.text)
      prompt.push({ role: 'user', content: [{ type: 'text', text }, ...files(message.media)] })
    } else if (message.role === 'assistant') {
      const content = assistantContent(message.parts, ids)
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else {
      prompt.push({ role: 'tool', content: toolContent(message.results, ids) })
      prompt.push(...shownBeside(message.results))
    }
  }
  return prompt
}

const files = (media: readonly Media[] = []): FileContent[] =>
  media.map(({ media_type: mediaType, data, name: filename }) => ({
    type: 'file',
    mediaType,
    data: { type: 'data', data },
    ...(filename === undefined ? {} : { filename }),
  }))

/**
 * Moves media in tool results to a following message that names the tool. The chat dialect allows
 * no media in tool results, so every vendor gets this form.
 */
function shownBeside(results: ToolResults): Prompt {
  const content = results.flatMap(({ tool, media = [] }) =>
    media.length === 0
      ? []
      : [{ type: 'text' as const, text: `[Result of ${tool}:]` }, ...files(media)],
  )
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

function assistantContent(
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  ids: ReadonlyMap<string, string>,
): AssistantContent {
  return parts.flatMap((part): AssistantContent => {
    const options = providerOptions(part.provider)
    if (part.type === 'call') {
      const toolCallId = ids.get(part.id) ?? part.id
      const input = argumentsOf(loaded(part.arguments))
      return [{ type: 'tool-call', toolCallId, toolName: part.tool, input, ...options }]
    }
    const text = loaded(part.text)
    // Vendors reject blank text blocks; a blank reasoning block may still carry a signature.
    if (part.type === 'text') return text === '' ? [] : [{ type: 'text', text, ...options }]
    return [{ type: 'reasoning', text, ...options }]
  })
}

function toolContent(results: ToolResults, ids: ReadonlyMap<string, string>): ToolContent {
  return results.map((result) => ({
    type: 'tool-result',
    toolCallId: ids.get(result.call) ?? result.call,
    toolName: result.tool,
    output: { type: result.is_error ? 'error-text' : 'text', value: loaded(result.text) },
  }))
}

function providerOptions(provider: unknown): { providerOptions?: ProviderOptions } {
  if (typeof provider !== 'object' || provider === null) return {}
  return { providerOptions: provider as ProviderOptions }
}
