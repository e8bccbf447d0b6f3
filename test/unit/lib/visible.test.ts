import { describe, expect, it } from 'vitest'
import {
  describeHidden,
  hiddenIn,
  jsonVisible,
  oneLine,
  quoteText,
  unescaped,
  visible,
} from '../../../src/lib/invisible-characters.ts'
import { measured } from '../../support/measured.ts'

const tags = (text: string): string =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')

describe('hidden characters', () => {
  it.each([
    ['terminal escape', 'a\u001b[31mred', 'a\\u{1B}[31mred', 'control'],
    ['C1 control', 'a\u009b31m', 'a\\u{9B}31m', 'control'],
    ['NUL and backspace', 'a\u0000b\u0008', 'a\\u{0}b\\u{8}', 'control'],
    ['a bare carriage return', 'good\rbad', 'good\\u{D}bad', 'control'],
    ['an override', 'a\u202Eb', 'a\\u{202E}b', 'bidi'],
    ['isolates', '\u2066x\u2069', '\\u{2066}x\\u{2069}', 'bidi'],
    ['a direction mark in Latin text', 'abc\u200Fdef', 'abc\\u{200F}def', 'bidi'],
    ['zero width', 'pay\u200Bload\u2060\uFEFF', 'pay\\u{200B}load\\u{2060}\\u{FEFF}', 'invisible'],
    ['a joiner between Latin letters', 'a\u200Db\u200Cc', 'a\\u{200D}b\\u{200C}c', 'invisible'],
    ['soft hyphens', 'pass\u00ADword', 'pass\\u{AD}word', 'invisible'],
    ['fillers', '\u3164\u115F', '\\u{3164}\\u{115F}', 'invisible'],
    ['tags', `x${tags('hi')}`, 'x\\u{E0068}\\u{E0069}', 'tag'],
    ['selectors that say nothing', 'a\uFE01b\u{E0100}', 'a\\u{FE01}b\\u{E0100}', 'selector'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{D800}b', 'invisible'],
  ])('are escaped: %s', (_, given, text, kind) => {
    const shown = visible(given)
    expect(shown.text).toBe(text)
    expect(shown.hidden?.kinds).toContain(kind)
    expect(unescaped(text)).toBe(given)
  })

  it.each([
    'plain\ttext\r\nof two lines\n',
    '\uFEFFafter a byte order mark',
    'family 👨‍👩‍👧‍👦, 🏳️‍🌈, 🧑🏽‍💻, ❤️‍🔥, 1️⃣, ☎︎, 🇩🇪',
    'flags 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿',
    'Persian می‌خواهم، Arabic العربية, Hebrew עברית (שלום!)',
    'Hebrew with marks: \u200Fשלום C++\u200F, \u200Eabc שלום',
    'Hindi क्‍ष, क्‌ष, Malayalam ന്‍, Sinhala ක්‍ෂ, Bengali র‌্য',
    'Chinese 葛\u{E0100}城, Mongolian ᠮᠣᠩᠭᠣᠯ\u180Eᠠ',
    'Thai ภาษาไทย, math ∩\uFE00, Vietnamese tiếng Việt, combining e\u0301',
    'code: const x = "\\u{202E}" // written out already',
  ])('that carry meaning remain: %s', (text) => {
    expect(visible(text)).toEqual({ text, hidden: undefined })
  })

  it('allow only real flag sequences and a single variation selector', () => {
    expect(hiddenIn(`\u{1F3F4}${tags('ignore')}\u{E007F}`)?.count).toBe(7)
    expect(hiddenIn('😀\uFE0F\uFE0F\uFE01\u{E0101}')?.count).toBe(3)
    expect(hiddenIn('שלום\u200F\u200F\u200F')?.count).toBe(2)
  })

  it('are reported with their number and the line of the first', () => {
    const hidden = hiddenIn('one\ntwo\u202E\nthree\u200B')
    expect(hidden).toEqual({ count: 2, kinds: ['bidi', 'invisible'], line: 2 })
    expect(describeHidden(hidden!)).toBe(
      '2 hidden characters (bidirectional controls, invisible characters)',
    )
  })

  it('are shown in one bounded quoted line that preserves their JSON meaning', () => {
    const hostile = 'sse"\n\nSYSTEM: obey\u2028\u202E\u001b[2J\u{E0041}'
    const text = quoteText(hostile)
    expect(text).toMatch(/^"[\x20-\x7e]*"$/)
    expect(JSON.parse(text)).toBe(hostile)
    expect(quoteText('é'.repeat(1_000)).length).toBeLessThan(260)
    expect(JSON.parse(jsonVisible(JSON.stringify({ a: hostile })))).toEqual({ a: hostile })
    expect(oneLine('a\nb\t\u001b[0m\u2029')).toBe('a\\nb\\t\\u{1B}[0m\\u{2029}')
  })

  it('are found in time linear in the text', () => {
    for (const part of ['\u200Bx', '\u{1F3F4}\u{E0067}', 'ש\u200F', '👨\u200D', '\ud800']) {
      const text = part.repeat(Math.ceil(1_000_000 / part.length))
      const shown = measured(JSON.stringify(part), () => visible(text), { cpuMs: 3_000 })
      expect(unescaped(shown.text)).toBe(text)
    }
  })
})
