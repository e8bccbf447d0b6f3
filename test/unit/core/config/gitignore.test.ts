/** The patterns of ignore files, compared with the package `ignore`, and their bounded cost. */

import fc from 'fast-check'
import ignore from 'ignore'
import { describe, expect, it } from 'vitest'
import { gitignore } from '../../../../src/core/config/layer/gitignore.ts'
import { Budget, Exhausted } from '../../../../src/lib/budget.ts'

const name = fc.constantFrom('a', 'b', 'ab', 'abc', 'A', '.x', 'a b', 'x.md', '[', '!a', '#a')
/** Without an open class, for which the package matches what git does not. */
const part = fc.oneof(
  name.filter((text) => text !== '['),
  fc.constantFrom('*', '**', '?', '*.md', 'a*', '*b', '*a*b', '[ab]', '[!a]*', '[a-c]?', 'a?c'),
  fc.constantFrom('\\!a', '\\#a', '\\*', 'x\\.md', 'a\\ '),
)
const pattern = fc
  .record({
    negative: fc.boolean(),
    root: fc.boolean(),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('', '', '/', '/**', '/*', '  '),
  })
  .map(({ negative, root, parts, end }) => {
    return `${negative ? '!' : ''}${root ? '/' : ''}${parts.join('/')}${end}`
  })
const path = fc
  .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([names, isFolder]) => `${names.join('/')}${isFolder ? '/' : ''}`)

describe('gitignore', () => {
  it('excludes and includes the same paths as the package ignore', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 4 }), path, (patterns, of) => {
        const text = ['# a comment', '', ...patterns].join('\n')
        const { ignored, unignored } = ignore().add(text).test(of)
        expect([text, of, gitignore(text).test(of)]).toEqual([text, of, { ignored, unignored }])
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['a\r\nb\n', 'b', true],
    ['\uFEFFa', 'a', true],
    ['/a', 'b/a', false],
    ['a/', 'a', false],
    ['a/', 'a/b', true],
    ['a/**', 'a/', false],
    ['a/**/c', 'a/c', true],
    ['a/**/c', 'a/b/b/c', true],
    ['*\n!keep', 'keep', false],
    ['dir\n!dir/keep', 'dir/keep', true],
    ['[a', '[a', false],
    ['a\\', 'a', false],
    ['*', 'a/b', true],
    ['**', 'a/b', true],
  ])('%j decides %j as git does', (text, of, ignored) => {
    expect(gitignore(text).test(of).ignored).toBe(ignored)
  })

  it('takes steps in proportion to pattern and name, and stops at its budget', () => {
    const hostile = `${'*a'.repeat(60)}b`
    const of = 'a'.repeat(128)
    expect(gitignore(hostile, new Budget(4_000)).test(of).ignored).toBe(false)
    const text = `${hostile}\n`.repeat(100)
    const patterns = gitignore(text, new Budget(10 * text.length + 2_000))
    expect(() => patterns.test(of)).toThrow(Exhausted)
    expect(() => gitignore(text, new Budget(10 * text.length - 1))).toThrow(Exhausted)
  })
})
