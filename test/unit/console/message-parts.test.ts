/** The parts of a message, whose text has marks for its files. */

import { describe, expect, it } from 'vitest'
import { messageParts } from '../../../src/console/log/message-parts.ts'

const text = (...lines: string[]) => lines.join('\n')

describe('the parts of a message', () => {
  it('are one text when there are no files', () => {
    expect(messageParts('Hello\nworld')).toEqual([{ kind: 'text', text: 'Hello\nworld' }])
  })

  it('leave pictures out, and give text files their name and content', () => {
    const message = text(
      'See these.',
      '[image "dot.png", image/png, 78 bytes]',
      '[file "notes.txt", 6 bytes:]',
      'a note',
      '',
      'and more',
      '[The end of this file "notes.txt".]',
      'What do you think?',
    )
    expect(messageParts(message)).toEqual([
      { kind: 'text', text: 'See these.' },
      { kind: 'file', name: 'notes.txt', text: 'a note\n\nand more' },
      { kind: 'text', text: 'What do you think?' },
    ])
  })

  it('keep an unterminated mark as text', () => {
    const message = '[file "notes.txt", 6 bytes:]\na note'
    expect(messageParts(message)).toEqual([{ kind: 'text', text: message }])
  })
})
