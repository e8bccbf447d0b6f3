/**
 * Converts transcript messages to conversation items, and finds the positions of items among these
 * messages.
 */

import type { components } from '../../client/index.ts'
import { type Call, type Item, type LogText, previewOf } from './shape.ts'

export type Message = components['schemas']['TranscriptMessage']

/** Returns the items of messages that a fork copied from another session. */
export function itemsOfMessages(messages: readonly Message[]): readonly Item[] {
  const items: Item[] = []
  for (const [index, message] of messages.entries()) {
    const key = `history-${message.position ?? index}`
    const { role, text = '', parts = [], results = [] } = message
    if (role === 'user') items.push({ kind: 'input', key, text })
    for (const [at, part] of parts.entries()) items.push(partItem(part, `${key}-${at}`))
    for (const { call, text: result, is_error } of results) {
      const place = items.findLastIndex((item) => item.kind === 'call' && item.key === call)
      const openCall = items[place]
      if (openCall?.kind !== 'call') continue
      items[place] = { ...openCall, result, status: is_error ? 'error' : 'ok' }
    }
  }
  return items
}

type Part = NonNullable<Message['parts']>[number]

function partItem({ type, id = '', tool = '', text = '', ...part }: Part, key: string): Item {
  if (type !== 'call') return { kind: type === 'text' ? 'text' : 'reasoning', key, text, step: -1 }
  const call = { kind: 'call', key: id, tool, mode: 'once' } as const
  return { ...call, arguments: part.arguments ?? '', status: 'pending' } satisfies Call
}

/** Whether a message position is equal to or before another position. */
export function isUpTo(position: string, last: string): boolean {
  const [segment = 0, place = 0] = position.split('.').map(Number)
  const [lastSegment = 0, lastPlace = 0] = last.split('.').map(Number)
  return segment < lastSegment || (segment === lastSegment && place <= lastPlace)
}

const sameText = (body: LogText, text: string): boolean =>
  typeof body === 'string' ? body === text : isWhole(body, text)

const isWhole = (body: Exclude<LogText, string>, text: string): boolean =>
  text.startsWith(body.preview) && new TextEncoder().encode(text).length === body.bytes

/**
 * Returns the full text of a message that the log shows as a preview, or undefined if no message
 * contains it.
 */
export function wholeText(messages: readonly Message[], body: LogText): string | undefined {
  if (typeof body === 'string') return body
  for (const { text, parts = [], results = [] } of messages) {
    const texts = [
      text,
      ...parts.map((part) => part.text ?? part.arguments),
      ...results.map((result) => result.text),
    ]
    const original = texts.find((candidate) => candidate !== undefined && isWhole(body, candidate))
    if (original !== undefined) return original
  }
  return undefined
}

/**
 * Returns the position of an item among the session's messages. Several messages may have the same
 * text, so `later` is the number of repetitions after this item.
 */
export function positionOf(
  messages: readonly Message[],
  item: Extract<Item, { kind: 'input' | 'text' | 'reasoning' }>,
  later: number,
): { readonly at: string; readonly before: string | undefined } | undefined {
  const role = item.kind === 'input' ? 'user' : 'assistant'
  const fits = (message: Message): boolean =>
    message.role === role &&
    [message.text, ...(message.parts ?? []).map(({ text }) => text)].some(
      (text) => text !== undefined && sameText(item.text, text),
    )
  const places = messages.flatMap((message, index) => (fits(message) ? [index] : []))
  const place = places.at(-1 - later)
  const at = place === undefined ? undefined : messages[place]?.position
  if (place === undefined || at === undefined) return undefined
  return { at, before: messages[place - 1]?.position }
}

/** Counts the later items that have the same text as this item. */
export function laterRepeats(items: readonly Item[], item: Item): number {
  if (item.kind === 'call' || item.kind === 'note') return 0
  const at = items.findIndex((candidate) => candidate.key === item.key)
  return items.slice(at + 1).filter((later) => {
    const same = later.kind === item.kind
    return same && previewOf(later.text) === previewOf(item.text)
  }).length
}
