/** Messages of a transcript beside the items of a conversation: what was forked, and from where. */

import { describe, expect, it } from 'vitest'
import {
  isUpTo,
  itemsOfMessages,
  type Message,
  positionOf,
  saidLater,
  wholeIn,
} from '../../src/console/chat/history.ts'

const said = (position: string, text: string): Message => ({ role: 'user', text, position })
const wrote = (position: string, ...texts: string[]): Message => ({
  role: 'assistant',
  position,
  parts: texts.map((text) => ({ type: 'text', text })),
})

const MESSAGES: readonly Message[] = [
  said('0.0', 'Hello'),
  wrote('0.1', 'ok'),
  said('1.0', 'Hello'),
  {
    role: 'assistant',
    position: '1.1',
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'call', id: 'call_1', tool: 'file_read', arguments: '{"path":"a"}' },
    ],
  },
  {
    role: 'tool',
    position: '1.2',
    results: [{ call: 'call_1', tool: 'file_read', text: 'ä'.repeat(50), is_error: true }],
  },
  wrote('1.3', 'ok'),
]

describe('the history of a conversation', () => {
  it('shows messages as items, results in the card of their call', () => {
    const items = itemsOfMessages(MESSAGES)
    expect(items.map(({ kind }) => kind)).toEqual([
      ...['said', 'wrote', 'said', 'wrote', 'call', 'wrote'],
    ])
    expect(items[4]).toMatchObject({ tool: 'file_read', status: 'error', result: 'ä'.repeat(50) })
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
  })

  it('finds the place of what was said more than once', () => {
    const items = itemsOfMessages(MESSAGES)
    const place = (at: number) => {
      const item = items[at]!
      if (item.kind === 'call' || item.kind === 'note') throw new Error('no text')
      return positionOf(MESSAGES, item, saidLater(items, item))
    }
    expect(place(0)).toEqual({ at: '0.0', before: undefined })
    expect(place(2)).toEqual({ at: '1.0', before: '0.1' })
    expect(place(1)).toEqual({ at: '0.1', before: '0.0' })
    expect(place(5)).toEqual({ at: '1.3', before: '1.2' })
    const gone = { kind: 'said', key: 'x', text: 'Never said' } as const
    expect(positionOf(MESSAGES, gone, 0)).toBeUndefined()
  })

  it('positions are compared as numbers', () => {
    expect(isUpTo('0.9', '0.10')).toBe(true)
    expect(isUpTo('1.0', '0.10')).toBe(false)
    expect(isUpTo('9.5', '10.0')).toBe(true)
    expect(isUpTo('2.2', '2.2')).toBe(true)
  })

  it('finds the whole of a text by its beginning and its bytes, and nothing else', () => {
    const part = { digest: 'd', bytes: 100, preview: 'ää' }
    expect(wholeIn(MESSAGES, part)).toBe('ä'.repeat(50))
    expect(wholeIn(MESSAGES, { ...part, bytes: 99 })).toBeUndefined()
    expect(wholeIn(MESSAGES, 'whole already')).toBe('whole already')
  })
})
