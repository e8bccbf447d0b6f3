/** Converts AG-UI messages to conversation items, without messages that the session already has. */

import { quoteText } from '../../../lib/invisible-characters.ts'
import { refuse } from '../../request/problem.ts'
import type { AgUiContent, AgUiInput, AgUiMessage } from '../../schemas/protocols/ag-ui.ts'
import type { InputContent, InputItem } from '../../schemas/protocols/openai-input.ts'
import type { PlacedItem } from '../openai/input.ts'

/**
 * Converts AG-UI messages to conversation items. A session with a previous run already has
 * everything up to the last answer; a new session gets the whole conversation. System and developer
 * messages are always included.
 */
export function itemsOf(messages: readonly AgUiMessage[], isNew: boolean): PlacedItem[] {
  const last = isNew ? -1 : messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.flatMap((message, index) =>
    index > last || message.role === 'system' || message.role === 'developer'
      ? itemOf(message, index).map((item) => ({
          ...{ item, at: `/messages/${index}`, member: 'content' as const },
        }))
      : [],
  )
}

function itemOf(message: AgUiMessage, index: number): InputItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(message.content, index) }]
    case 'system':
    case 'developer':
      return [{ role: message.role, content: message.content }]
    case 'assistant': {
      const { content = '', toolCalls = [] } = message
      const calls = toolCalls.map(({ id, function: callee }) => {
        return { type: 'function_call' as const, call_id: id, ...callee }
      })
      return [...(content === '' ? [] : [{ role: 'assistant' as const, content }]), ...calls]
    }
    case 'tool': {
      const { toolCallId: call_id, content, error } = message
      const result = contentOf(content ?? '', index)
      const text = typeof result === 'string' ? result : result.map(textIn).join('\n')
      const output = error === undefined ? text : `[The call failed: ${quoteText(error)}]\n${text}`
      return [{ type: 'function_call_output', call_id, output }]
    }
    default:
      return []
  }
}

function textIn(part: Exclude<InputContent, string>[number]): string {
  if ('text' in part) return part.text
  throw refuse('invalid_request', 'A tool result must be text.')
}

function contentOf(content: AgUiContent, index: number): InputContent {
  if (typeof content === 'string') return content
  return content.map((part, place) => {
    if (part.type === 'text') return { type: 'input_text' as const, text: part.text }
    const { source } = part
    if (source.type === 'file') {
      const pointer = `/messages/${index}/content/${place}/source`
      const message = 'Provider file references are not supported; send the bytes or a URL.'
      throw refuse('invalid_request', message, { errors: [{ pointer, message }] })
    }
    if (part.type === 'image') return { type: 'input_image' as const, image_url: source.value }
    return source.type === 'url'
      ? { type: 'input_file' as const, file_url: source.value }
      : { type: 'input_file' as const, file_data: source.value }
  })
}

/** Returns the user's answers to the previous run's questions. */
export const answersOf = (resume: AgUiInput['resume'] = []): PlacedItem[] =>
  resume.map(({ status, payload }, index) => {
    if (status === 'cancelled' || payload === undefined) {
      const pointer = `/resume/${index}`
      const message = 'Send an answer in `payload`, or cancel the run (POST /v1/runs/{id}/cancel).'
      throw refuse('invalid_request', message, { errors: [{ pointer, message }] })
    }
    const content = typeof payload === 'string' ? payload : JSON.stringify(payload)
    return { item: { role: 'user', content }, at: `/resume/${index}/payload` }
  })

export const contextOf = (context: AgUiInput['context']): string =>
  context.length === 0
    ? ''
    : `Application context:
${context
  .map(({ description, value = null }) => `- ${quoteText(description)}: ${JSON.stringify(value)}`)
  .join('\n')}`
