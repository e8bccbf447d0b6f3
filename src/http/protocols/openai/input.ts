/**
 * OpenAI's input as ours: messages, instructions, results of the caller's functions. Calls and
 * results of another conversation have no place in our transcripts: they stand in the messages as a
 * marked text, its foreign words in JSON strings.
 */

import type { InputMessage, InputPart } from '../../../engine/run/request.ts'
import { quoted } from '../../../lib/visible.ts'
import { refuse } from '../../request/problem.ts'
import type { InputContent, InputItem } from '../../schemas/protocols/openai-input.ts'
import { type CallName, namedCall } from './ids.ts'

export interface Result {
  readonly name: CallName
  readonly call_id: string
  readonly text: string
}
export interface Conversation {
  /** Of system and developer messages. */
  readonly instructions: readonly string[]
  readonly messages: readonly InputMessage[]
  /** The results at its end: of the calls that the run waits for. */
  readonly results: readonly Result[]
}

type Entry =
  | { readonly kind: 'message'; readonly message: InputMessage }
  | { readonly kind: 'result'; readonly call_id: string; readonly text: string }

/** `pointer`: where the items stand in the request. */
export function conversationOf(items: readonly InputItem[], pointer: string): Conversation {
  const instructions: string[] = []
  const entries: Entry[] = []
  for (const [index, item] of items.entries()) {
    const at = `${pointer}/${index}`
    if (item.type === 'function_call') {
      entries.push(said('assistant', `[The call ${item.name}(${item.arguments})]`))
    } else if (item.type === 'mcp_call') {
      const end = item.output ?? item.error ?? ''
      entries.push(
        said('assistant', `[The call ${item.name}(${item.arguments}) gave ${quoted(end)}]`),
      )
    } else if (item.type === 'function_call_output') {
      const text = textOf(item.output ?? '', `${at}/output`)
      entries.push({ kind: 'result', call_id: item.call_id, text })
    } else if (item.type === 'item_reference') {
      if (!REASONING.test(item.id)) throw wrong(at, REFERENCE)
    } else if (item.role === 'user' || item.role === 'assistant') {
      const content = contentOf(item.content ?? '', `${at}/content`)
      if (content.length > 0)
        entries.push({ kind: 'message', message: { role: item.role, content } })
    } else {
      instructions.push(textOf(item.content, `${at}/content`))
    }
  }
  const last = entries.findLastIndex(
    (one) => one.kind === 'message' && one.message.role === 'assistant',
  )
  const ended = entries.slice(last + 1)
  const results = ended.flatMap((one) => {
    const name = one.kind === 'result' ? namedCall(one.call_id) : undefined
    return name && one.kind === 'result' ? [{ name, call_id: one.call_id, text: one.text }] : []
  })
  const taken = new Set(results.map(({ call_id }) => call_id))
  const shown = results.length > 0 ? ended : entries
  return {
    instructions,
    // The run whose calls these are has all that came before.
    messages: shown.flatMap((one) =>
      one.kind === 'message' ? [one.message] : taken.has(one.call_id) ? [] : [told(one)],
    ),
    results,
  }
}

/** Ids of OpenAI's for the thoughts of a model, which are not read here. */
const REASONING = /^rs_/
const REFERENCE =
  'An item by its id is not read here: send the item itself (clients: `store: false`), or go on ' +
  'with previous_response_id.'

const said = (role: InputMessage['role'], content: string): Entry => ({
  kind: 'message',
  message: { role, content },
})

const told = ({ call_id, text }: Extract<Entry, { kind: 'result' }>): InputMessage => ({
  role: 'user',
  content: `[The result of the call ${quoted(call_id)}: ${JSON.stringify(text)}]`,
})

const wrong = (pointer: string, message: string) =>
  refuse('invalid_request', `${message} (${pointer})`, { errors: [{ pointer, message }] })

function textOf(content: InputContent, pointer: string): string {
  if (typeof content === 'string') return content
  return content
    .map((part, index) => {
      if ('text' in part) return part.text
      throw wrong(`${pointer}/${index}`, 'Only texts are taken here.')
    })
    .join('\n')
}

/** A text, or parts that say something. */
function contentOf(content: InputContent, pointer: string): string | readonly InputPart[] {
  if (typeof content === 'string') return content.trim() === '' ? '' : content
  return content.flatMap((part, index): InputPart[] => {
    const at = `${pointer}/${index}`
    if ('text' in part) return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    if ('refusal' in part) return [{ type: 'text', text: part.refusal }]
    if (part.type === 'input_image') return [{ type: 'image', ...sourceOf(part.image_url, at) }]
    const { file_data, file_url, filename } = part
    if ((file_data === undefined) === (file_url === undefined))
      throw wrong(at, 'Exactly one of file_data and file_url is needed.')
    const name = filename === undefined ? {} : { name: filename }
    return [{ type: 'file', ...sourceOf(file_data ?? file_url ?? '', at), ...name }]
  })
}

const DATA = /^data:[^,]*;base64,/

/** A data URL, an address, or plain base64. */
function sourceOf(given: string, pointer: string): { data: string } | { url: string } {
  if (/^https?:/i.test(given)) return { url: given }
  const data = given.replace(DATA, '')
  if (data.startsWith('data:')) throw wrong(pointer, 'A data URL holds base64.')
  return { data }
}
