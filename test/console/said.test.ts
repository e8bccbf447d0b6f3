/** Files of a message stand in its text as marks: the console shows them as files again. */

import { describe, expect, it } from 'vitest'
import { partsOf } from '../../src/console/chat/said.ts'

const text = (...lines: string[]) => lines.join('\n')

describe('the parts of a message', () => {
  it('is one text where no file is', () => {
    expect(partsOf('Hello\nworld')).toEqual([{ kind: 'text', text: 'Hello\nworld' }])
  })

  it('pictures are left out, text files have their name and content', () => {
    const said = text(
      'See these.',
      '[image "dot.png", image/png, 78 bytes]',
      '[file "notes.txt", 6 bytes:]',
      'a note',
      '',
      'and more',
      '[The end of this file "notes.txt".]',
      'What do you think?',
    )
    expect(partsOf(said)).toEqual([
      { kind: 'text', text: 'See these.' },
      { kind: 'file', name: 'notes.txt', text: 'a note\n\nand more' },
      { kind: 'text', text: 'What do you think?' },
    ])
  })

  it('a mark without its end is text as it was written', () => {
    const said = '[file "notes.txt", 6 bytes:]\na note'
    expect(partsOf(said)).toEqual([{ kind: 'text', text: said }])
  })
})
