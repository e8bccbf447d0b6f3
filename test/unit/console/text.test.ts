/** Texts of models and tools: invisible characters, links, and Markdown in pieces. */

import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../../src/console/text/blocks.ts'
import { piecesOf } from '../../../src/console/text/invisible.ts'
import { indented, objectIn, summaryOf, unshownIn } from '../../../src/console/text/json.ts'
import { isBareWord, linkTarget } from '../../../src/console/text/links.ts'

describe('invisible characters', () => {
  it('are escaped, except line ends, tabs, and joined emoji', () => {
    const text = 'a\u202eb\u200b\n\t👩‍💻\u{e0041}'
    const written = piecesOf(text).map((piece) => piece.text)
    expect(written).toEqual(['a', '\\u{202e}', 'b', '\\u{200b}', '\n\t👩‍💻', '\\u{e0041}'])
    expect(piecesOf('plain')).toEqual([{ text: 'plain', isInvisible: false }])
  })
})

describe('links', () => {
  it('are created only for http, https, and mailto, with the host in ASCII', () => {
    expect(linkTarget('https://bücher.example/a')?.host).toBe('xn--bcher-kva.example')
    expect(linkTarget('mailto:a@b.example')?.host).toBe('a@b.example')
    const refused = ['javascript:alert(1)', ' JAVASCRIPT:x', 'data:text/html,x', '/relative', '//x']
    expect(refused.map(linkTarget)).toEqual(refused.map(() => undefined))
  })

  it('are not created from bare words', () => {
    expect(isBareWord('www.example.com', 'http://www.example.com')).toBe(true)
    expect(isBareWord('http://a.example', 'http://a.example')).toBe(false)
  })
})

describe('blocks of Markdown', () => {
  const TEXT = [
    ...['One.', '', '```', 'a', '', 'b', '```', '', '- x', '', '  more', '- y', '', 'Two.', ''],
  ].join('\n')

  it('are split at empty lines outside fences and lists, and join to the full text', () => {
    expect(blocksOf(TEXT)).toEqual([
      'One.\n\n',
      '```\na\n\nb\n```\n\n- x\n\n  more\n- y\n\n',
      'Two.\n',
    ])
  })

  it('do not change when text is appended', () => {
    for (let end = 1; end <= TEXT.length; end += 1) {
      const before = blocksOf(TEXT.slice(0, end))
      expect(before.join('')).toBe(TEXT.slice(0, end))
      expect(blocksOf(TEXT).slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    }
  })
})

describe('JSON in logs', () => {
  it('is parsed as an object, or stays text', () => {
    expect(objectIn('{"a": 1}')).toEqual({ a: 1 })
    expect(['[1]', 'null', '{"a"', '"x"'].map(objectIn)).toEqual([
      ...[undefined, undefined, undefined, undefined],
    ])
    expect(indented('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(indented('{"a"')).toBe('{"a"')
    expect(summaryOf('{"path": "a.ts", "limit": 3}')).toBe('a.ts · 3')
    expect(summaryOf('{"path": ')).toBe('{"path": ')
  })

  it('is summarized in 200 characters, and the others are counted', () => {
    const long = JSON.stringify({ path: 'a.ts', content: 'x'.repeat(3_000) })
    expect(summaryOf(long)).toHaveLength(200)
    expect(unshownIn(long)).toBe(2_807)
    expect(unshownIn('{"path": "a.ts"}')).toBe(0)
  })
})
