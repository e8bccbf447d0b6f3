/** Memory: the address, folders by scope, an edited text beside the server's, and matches. */

import { describe, expect, it } from 'vitest'
import { memorySearch } from '../../../src/console/memory/search.ts'
import {
  contentOf,
  groupsOf,
  hasConflict,
  holdsLine,
  markedPieces,
  matchLine,
  startEditing,
  trimmedEnd,
  withoutDraft,
  withReceived,
  withSaved,
  withTyped,
} from '../../../src/console/memory/state.ts'

describe('the address of memory', () => {
  it('names a file, its line, a search, and a version', () => {
    const search = { file: 'shared/a.md', line: 7, q: 'x', version: 'ver_1' }
    expect(memorySearch(search)).toEqual(search)
  })

  it('drops a line and a version without a file, and values that are not valid', () => {
    expect(memorySearch({ line: 7, version: 'all', q: ' ' })).toEqual({})
    expect(memorySearch({ file: 'shared/a.md', line: -1, version: '../x' })).toEqual({
      file: 'shared/a.md',
    })
    expect(memorySearch({ q: 48_213 })).toEqual({ q: '48213' })
  })
})

describe('memory files', () => {
  it('are grouped by scope and owner, and sorted by name', () => {
    const paths = ['agents/b/z.md', 'shared/x/b.md', 'agents/b/a.md', 'shared/a.md', 'odd.md']
    const groups = groupsOf(paths.map((path) => ({ path })))
    const texts = groups.flatMap(({ scope, folders }) =>
      folders.map(({ owner, files }) => `${scope} ${owner}: ${files.map(({ path }) => path)}`),
    )
    expect(texts).toEqual([
      'shared : shared/a.md,shared/x/b.md',
      'agents b: agents/b/a.md,agents/b/z.md',
      'others : odd.md',
    ])
  })
})

describe('an edited text', () => {
  const FILE = { text: 'a', etag: '1' }
  const OTHER = { text: 'b', etag: '2' }

  it('begins with a stored draft', () => {
    expect(startEditing(FILE, { text: 'mine', etag: '1' }).text).toBe('mine')
  })

  it('is no draft once it is equal to the file again', () => {
    const typed = withTyped(startEditing(FILE, undefined), 'ab')
    expect(typed.draft).toEqual({ text: 'ab', etag: '1' })
    expect(withTyped(typed, 'a').draft).toBeUndefined()
  })

  it('stays when another client changes the file, and is then in conflict', () => {
    const typed = withTyped(startEditing(FILE, undefined), 'mine')
    const received = withReceived(typed, OTHER)
    expect([received.text, received.key, received.base]).toEqual(['mine', 0, OTHER])
    expect([hasConflict(typed), hasConflict(received)]).toEqual([false, true])
    const discarded = withoutDraft(received)
    expect([discarded.text, discarded.key, discarded.draft]).toEqual(['b', 1, undefined])
  })

  it('shows a changed file if nothing was typed', () => {
    const received = withReceived(startEditing(FILE, undefined), OTHER)
    expect([received.text, received.key]).toEqual(['b', 1])
  })

  it('keeps the editor and later typing when it is saved', () => {
    const typed = withTyped(startEditing(FILE, undefined), 'mine')
    const saved = withSaved(typed, { text: 'mine', etag: '3' })
    expect([saved.draft, saved.key]).toEqual([undefined, 0])
    const later = withSaved(withTyped(typed, 'mine+'), { text: 'mine', etag: '3' })
    expect(later.draft).toEqual({ text: 'mine+', etag: '3' })
    expect(hasConflict(later)).toBe(false)
  })

  it('is written with one line break at its end', () => {
    expect([contentOf('a'), contentOf('a\n'), trimmedEnd('a\n\n')]).toEqual(['a\n', 'a\n', 'a\n'])
  })
})

describe('passages', () => {
  const passage = (text: string, ...highlights: { from: number; to: number }[]) => ({
    ...{ text, highlights, lines: { from: 10, to: 12 } },
  })

  it('are split at their matches', () => {
    const pieces = markedPieces(passage('the blue crane', { from: 9, to: 14 }, { from: 4, to: 8 }))
    expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual([
      ...['blue', 'crane'],
    ])
    expect(pieces.map(({ text }) => text).join('')).toBe('the blue crane')
  })

  it('open at the line of their first match, or else at their first line', () => {
    expect(matchLine(passage('## A\n\n- blue', { from: 8, to: 12 }))).toBe(12)
    expect(matchLine(passage('## A\n\n- blue'))).toBe(10)
    expect([9, 10, 12, 13].map((line) => holdsLine(passage('x'), line))).toEqual([
      ...[false, true, true, false],
    ])
  })
})
