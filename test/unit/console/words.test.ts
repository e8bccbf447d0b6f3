/** The words of the console: the same places in both languages, and one Chinese term for one thing. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { en } from '../../../src/console/i18n/en.ts'
import { pages } from '../../../src/console/i18n/en-pages.ts'
import { fillText } from '../../../src/console/i18n/fill-text.ts'
import { zh } from '../../../src/console/i18n/zh.ts'

type Word = keyof typeof zh
const WORDS = Object.entries({ ...en, ...pages }) as [Word, string][]

/** A thing as English names it, its term, and a term that is never used. */
const TERMS: readonly (readonly [RegExp, string, string])[] = [
  [/\bsubagents?\b/i, '子智能体', '子代理'],
  [/\bagents?\b/i, '智能体', '代理'],
  [/\bapprovals?\b/i, '审批', '批核'],
  [/\bsecrets?\b/i, '机密', '秘密'],
  [/\b(?<!single-)(?:API )?keys?\b(?!=)/i, '密钥', '钥匙'],
  [/\bconversations?\b/i, '对话', '会谈'],
  [/\bskills?\b/i, '技能', '技巧'],
  [/\btokens?\b/i, '词元', '令牌'],
  [/\brepositor(?:y|ies)\b/i, '仓库', '存储库'],
]

/** Without places and code. */
const plain = (text: string): string => text.replaceAll(/\{\w+\}|`[^`]*`/g, '')

const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name = '']) => name).toSorted()

/** Folders whose modules load before or without the texts of further pages. */
const EARLY = /^(?:cards|chat|data|kit|log|shell|sign-in|text|transcript)\/|^[^/]+$/

describe('console texts', () => {
  it('of further pages are not used by the chat and the parts around pages', () => {
    const root = new URL('../../../src/console/', import.meta.url)
    const files = readdirSync(root, { recursive: true }).map(String)
    const early = files.filter((file) => /\.tsx?$/.test(file) && EARLY.test(file))
    expect(early.length).toBeGreaterThan(50)
    const isPageWord = (text: string, isPrefix: boolean): boolean =>
      Object.keys(pages).some((word) => (isPrefix ? word.startsWith(text) : word === text))
    const uses = early.flatMap((file) => {
      const text = readFileSync(new URL(file, root), 'utf8')
      const literals = [...text.matchAll(/'([a-z-]+\.[a-z.-]+)'/g)].map(([, word = '']) => word)
      const templates = [...text.matchAll(/`([a-z-]+\.[a-z.-]*)\$\{/g)].map(([, word = '']) => word)
      return [
        ...literals.filter((word) => isPageWord(word, false)),
        ...templates.filter((word) => isPageWord(word, true)),
      ].map((word) => `${file}: ${word}`)
    })
    // The difference of texts is a part of further pages alone.
    expect(uses.filter((use) => !use.startsWith('text/diff.tsx: diff.'))).toEqual([])
  })

  it('have the same placeholders in both languages', () => {
    const other = WORDS.filter(([word, text]) => `${placesOf(text)}` !== `${placesOf(zh[word])}`)
    expect(other).toEqual([])
  })

  it('are translated, except names', () => {
    const same = WORDS.filter(([word, text]) => zh[word] === text && /[a-z]{4}/i.test(text))
    expect(same.map(([word]) => word)).toEqual(['app.name'])
  })

  it('use one Chinese term per concept', () => {
    const others = WORDS.filter(([word]) => TERMS.some(([, , other]) => zh[word].includes(other)))
    expect(others.map(([word]) => `${word}: ${zh[word]}`)).toEqual([])
    const lacking = TERMS.flatMap(([thing, term]) =>
      WORDS.filter(([word, text]) => thing.test(plain(text)) && !zh[word].includes(term)).map(
        ([word]) => `${term} ${word}: ${zh[word]}`,
      ),
    )
    expect(lacking).toEqual([])
  })

  it('are filled once: a value with braces stays unchanged', () => {
    expect(fillText('Skill {text}', { text: '{n}', n: 1 }, 'en')).toBe('Skill {n}')
    const counted = '{n, plural, one {# step} other {# steps}}'
    expect([1, 2_000].map((n) => fillText(counted, { n }, 'en'))).toEqual(['1 step', '2,000 steps'])
  })
})
