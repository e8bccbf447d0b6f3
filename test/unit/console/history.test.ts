/** Messages of a transcript as items, and positions of items among messages. */

import { describe, expect, it } from 'vitest'
import {
  isUpTo,
  itemsOfMessages,
  laterRepeats,
  type Message,
  positionOf,
  wholeText,
} from '../../../src/console/log/history.ts'

const input = (position: string, text: string): Message => ({ role: 'user', text, position })
const output = (position: string, ...texts: string[]): Message => ({
  role: 'assistant',
  position,
  parts: texts.map((text) => ({ type: 'text', text })),
})

const MESSAGES: readonly Message[] = [
  input('0.0', 'Hello'),
  output('0.1', 'ok'),
  input('1.0', 'Hello'),
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
  output('1.3', 'ok'),
]

describe('messages of a transcript', () => {
  it('turns messages into items, with results in their calls', () => {
    const items = itemsOfMessages(MESSAGES)
    expect(items.map(({ kind }) => kind)).toEqual([
      ...['input', 'text', 'input', 'text', 'call', 'text'],
    ])
    expect(items[4]).toMatchObject({ tool: 'file_read', status: 'error', result: 'ä'.repeat(50) })
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
  })

  it('finds the position of a text that appears more than once', () => {
    const items = itemsOfMessages(MESSAGES)
    const place = (at: number) => {
      const item = items[at]!
      if (item.kind === 'call' || item.kind === 'note') throw new Error('no text')
      return positionOf(MESSAGES, item, laterRepeats(items, item))
    }
    expect(place(0)).toEqual({ at: '0.0', before: undefined })
    expect(place(2)).toEqual({ at: '1.0', before: '0.1' })
    expect(place(1)).toEqual({ at: '0.1', before: '0.0' })
    expect(place(5)).toEqual({ at: '1.3', before: '1.2' })
    const gone = { kind: 'input', key: 'x', text: 'Never said' } as const
    expect(positionOf(MESSAGES, gone, 0)).toBeUndefined()
  })

  it('compares positions as numbers', () => {
    expect(isUpTo('0.9', '0.10')).toBe(true)
    expect(isUpTo('1.0', '0.10')).toBe(false)
    expect(isUpTo('9.5', '10.0')).toBe(true)
    expect(isUpTo('2.2', '2.2')).toBe(true)
  })

  it('finds a full text by its preview and size alone', () => {
    const part = { digest: 'd', bytes: 100, preview: 'ää' }
    expect(wholeText(MESSAGES, part)).toBe('ä'.repeat(50))
    expect(wholeText(MESSAGES, { ...part, bytes: 99 })).toBeUndefined()
    expect(wholeText(MESSAGES, 'whole already')).toBe('whole already')
  })
})
