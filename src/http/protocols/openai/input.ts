/**
 * Converts OpenAI input: messages, instructions, and results of the client's functions. Calls and
 * results of another conversation become marked text in messages, with third-party text in JSON
 * strings.
 */

import type { InputMessage, InputPart } from '../../../engine/run/request.ts'
import { quoteText } from '../../../lib/invisible-characters.ts'
import { refuse } from '../../request/problem.ts'
import type { InputContent, InputItem } from '../../schemas/protocols/openai-input.ts'
import { type CallName, namedCall } from './ids.ts'

export interface Result {
  readonly name: CallName
  readonly call_id: string
  readonly text: string
}
export interface Conversation {
  /** Texts of system and developer messages, in order. */
  readonly instructions: readonly string[]
  readonly messages: readonly InputMessage[]
  /** Results at the end of the input, for the calls that the run waits for. */
  readonly results: readonly Result[]
  /** JSON pointer to the input items in the request. */
  readonly pointer: string
  readonly places: ReadonlyMap<InputMessage, SentContent>
}

type Entry =
  | { readonly kind: 'message'; readonly message: InputMessage }
  | { readonly kind: 'result'; readonly call_id: string; readonly text: string }

/** JSON pointer to a message's content, and the indexes of its non-empty parts. */
interface SentContent {
  readonly pointer: string
  readonly parts: readonly number[]
}

/** Input item, its JSON pointer in the request, and the name of its content member. */
export interface PlacedItem {
  readonly item: InputItem
  readonly at: string
  readonly member?: 'content'
}

/** Builds the conversation from input items; `pointer` locates the items in the request. */
export function conversationOf(items: readonly PlacedItem[], pointer: string): Conversation {
  const instructions: string[] = []
  const entries: Entry[] = []
  const places = new Map<InputMessage, SentContent>()
  for (const { item, at, member } of items) {
    if (item.type === 'function_call') {
      entries.push(messageEntry('assistant', `[Call ${item.name}(${item.arguments})]`))
    } else if (item.type === 'mcp_call') {
      const end = item.output ?? item.error ?? ''
      entries.push(
        messageEntry(
          'assistant',
          `[Call ${item.name}(${item.arguments}) returned ${quoteText(end)}]`,
        ),
      )
    } else if (item.type === 'function_call_output') {
      const text = textOf(item.output ?? '', `${at}/${member ?? 'output'}`)
      entries.push({ kind: 'result', call_id: item.call_id, text })
    } else if (item.type === 'item_reference') {
      if (!REASONING.test(item.id)) throw wrong(at, REFERENCE)
    } else if (item.role === 'user' || item.role === 'assistant') {
      const place = `${at}/content`
      const { content, parts } = contentOf(item.content ?? '', place)
      const message = { role: item.role, content }
      places.set(message, { pointer: place, parts })
      if (content.length > 0) entries.push({ kind: 'message', message })
    } else {
      instructions.push(textOf(item.content, `${at}/content`))
    }
  }
  const last = entries.findLastIndex(
    (entry) => entry.kind === 'message' && entry.message.role === 'assistant',
  )
  const ended = entries.slice(last + 1)
  const results = ended.flatMap((entry) => {
    const name = entry.kind === 'result' ? namedCall(entry.call_id) : undefined
    return name && entry.kind === 'result'
      ? [{ name, call_id: entry.call_id, text: entry.text }]
      : []
  })
  const usedIds = new Set(results.map(({ call_id }) => call_id))
  const visible = results.length > 0 ? ended : entries
  return {
    instructions,
    // The run that made these calls already contains everything before the calls.
    messages: visible.flatMap((entry) =>
      entry.kind === 'message'
        ? [entry.message]
        : usedIds.has(entry.call_id)
          ? []
          : [resultMessage(entry)],
    ),
    results,
    pointer,
    places,
  }
}

/**
 * Maps a pointer in the run's input (a content or a part) to the corresponding pointer in the
 * client's request.
 */
export function placeIn({ messages, pointer, places }: Conversation, runPlace: string): string {
  if (runPlace === '/input') return pointer
  // If a run's input is a single message, it consists only of the message's content.
  const groups = (LISTED_PLACE.exec(runPlace) ?? SINGLE.exec(runPlace))?.groups
  if (!groups) return runPlace
  const { index = '0', part } = groups
  const message = messages[Number(index)]
  const place = message && places.get(message)
  if (!place) return pointer
  const sent = place.parts[Number(part)]
  return sent === undefined ? place.pointer : `${place.pointer}/${sent}`
}

const LISTED_PLACE = /^\/input\/(?<index>\d+)\/content(?:\/(?<part>\d+))?/
const SINGLE = /^\/input\/(?<part>\d+)/

/** Matches OpenAI IDs of reasoning items, which are ignored. */
const REASONING = /^rs_/
const REFERENCE =
  'Item references are not supported; send the item itself (clients: `store: false`), ' +
  'or continue with previous_response_id.'

const messageEntry = (role: InputMessage['role'], content: string): Entry => ({
  kind: 'message',
  message: { role, content },
})

const resultMessage = ({ call_id, text }: Extract<Entry, { kind: 'result' }>): InputMessage => ({
  role: 'user',
  content: `[Result of call ${quoteText(call_id)}: ${JSON.stringify(text)}]`,
})

const wrong = (pointer: string, message: string) =>
  refuse('invalid_request', `${message} (${pointer})`, { errors: [{ pointer, message }] })

function textOf(content: InputContent, pointer: string): string {
  if (typeof content === 'string') return content
  return content
    .map((part, index) => {
      if ('text' in part) return part.text
      throw wrong(`${pointer}/${index}`, 'Only text is accepted.')
    })
    .join('\n')
}

/** Converts message content to a string or a non-empty list of parts. */
function contentOf(content: InputContent, pointer: string) {
  if (typeof content === 'string') return { content: content.trim() && content, parts: [] }
  const parts = [...content.keys()].filter((index) => {
    const part = content[index]!
    return !('text' in part) || part.text.trim() !== ''
  })
  return { content: parts.map((index) => partOf(content[index]!, `${pointer}/${index}`)), parts }
}

function partOf(part: Exclude<InputContent, string>[number], at: string): InputPart {
  if ('text' in part) return { type: 'text', text: part.text }
  if ('refusal' in part) return { type: 'text', text: part.refusal }
  if (part.type === 'input_image') return { type: 'image', ...sourceOf(part.image_url, at) }
  const { file_data, file_url, filename } = part
  if ((file_data === undefined) === (file_url === undefined))
    throw wrong(at, 'Exactly one of file_data and file_url is required.')
  const name = filename === undefined ? {} : { name: filename }
  return { type: 'file', ...sourceOf(file_data ?? file_url ?? '', at), ...name }
}

const DATA = /^data:[^,]*;base64,/

/** Parses a media source: a data URL, a URL, or plain base64. */
function sourceOf(source: string, pointer: string): { data: string } | { url: string } {
  if (/^https?:/i.test(source)) return { url: source }
  const data = source.replace(DATA, '')
  if (data.startsWith('data:')) throw wrong(pointer, 'A data URL must contain base64.')
  return { data }
}
