/**
 * Converts a turn to a chat completion, whole or in chunks, and converts chat messages to input
 * items.
 */

import type { ChatContent, ChatMessage } from '../../schemas/protocols/openai-chat.ts'
import type { InputContent, InputItem } from '../../schemas/protocols/openai-input.ts'
import type { TurnView } from '../../turn/view.ts'
import { callName, completionId } from './ids.ts'
import type { PlacedItem } from './input.ts'
import { textShown } from './output.ts'
import { endOf, responseOf } from './response.ts'

/** Converts the chat messages to items of the Responses API. */
export const itemsOf = (messages: readonly ChatMessage[]): PlacedItem[] =>
  messages.flatMap((message, index) =>
    itemsIn(message).map((item) => ({ item, at: `/messages/${index}`, member: 'content' })),
  )

function itemsIn(message: ChatMessage): InputItem[] {
  if (message.role === 'tool') {
    const { tool_call_id: call_id, content } = message
    return [{ type: 'function_call_output', call_id, output: contentOf(content ?? '') }]
  }
  if (message.role !== 'assistant')
    return [{ role: message.role, content: contentOf(message.content) }]
  const { content, refusal, tool_calls = [] } = message
  const text = content ?? refusal
  const calls = tool_calls.map(({ id, function: callee }) => {
    return { type: 'function_call' as const, call_id: id, ...callee }
  })
  return [...(text ? [{ role: 'assistant' as const, content: contentOf(text) }] : []), ...calls]
}

function contentOf(content: ChatContent): InputContent {
  if (typeof content === 'string') return content
  return content.map((part) => {
    switch (part.type) {
      case 'text':
        return { type: 'input_text', text: part.text }
      case 'refusal':
        return part
      case 'image_url':
        return { type: 'input_image', image_url: part.image_url.url }
      case 'file':
        return { type: 'input_file', ...part.file }
      default:
        return { type: 'input_file', file_data: part.input_audio.data }
    }
  })
}

export const GAP = '\n\n'

/** Returns all text of a turn; text next to tool calls precedes the answer. */
export const textOf = (view: TurnView): string =>
  [...view.steps.map((step) => textShown(view, step)), ...askedBy(view)]
    .filter((text) => text !== '')
    .join(GAP)

const askedBy = ({ questions }: TurnView): string[] => questions.map(({ question }) => question)

/** Returns the tool calls that the client must perform; calls of an ended run are void. */
export const callsOf = (view: TurnView) =>
  view.end !== 'parked'
    ? []
    : view.steps.flatMap(({ step, calls }) =>
        calls
          .filter(({ isCallers, result }) => isCallers && result === null)
          .map(({ index, tool, arguments: args }) => ({
            id: callName({ run: view.run, step, index }),
            type: 'function',
            function: { name: tool, arguments: args },
          })),
      )

const FINISHES: Readonly<Record<string, string>> = {
  max_output_tokens: 'length',
  max_steps: 'length',
  budget: 'length',
  content_filter: 'content_filter',
}

export function finishOf(view: TurnView): string {
  const reason = endOf(view).output.incomplete_details?.reason
  if (reason !== undefined) return FINISHES[reason] ?? 'stop'
  return callsOf(view).length > 0 ? 'tool_calls' : 'stop'
}

/** Returns why a turn has no completion; undefined for a turn with a completion. */
export function failureOf(view: TurnView): { code: string; message: string } | undefined {
  const { status, error } = endOf(view).output
  if (error) return error
  return status === 'cancelled'
    ? { code: 'cancelled', message: `The run ${view.run} was cancelled.` }
    : undefined
}

export const headOf = (view: TurnView) => {
  const { model, created_at: created } = responseOf(view)
  return { id: completionId({ run: view.run, turn: view.index }), created, model }
}

export const usageOf = ({ usage }: TurnView) => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.input_tokens + usage.output_tokens,
  prompt_tokens_details: { cached_tokens: usage.cache_read_tokens ?? 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
})

export function completionOf(view: TurnView): Record<string, unknown> {
  const calls = callsOf(view)
  const text = textOf(view)
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finishOf(view) }
  return { ...headOf(view), object: 'chat.completion', choices: [choice], usage: usageOf(view) }
}

/** Returns the `strata` member for a request with ignored members: their names, and the run ID. */
export const strataOf = (run_id: string, ignored: readonly string[]) =>
  ignored.length === 0 ? {} : { strata: { run_id, ignored } }
