/** The words of the console: the same places in both languages, and one Chinese term for one thing. */

import { describe, expect, it } from 'vitest'
import { en, type Word } from '../../../src/console/i18n/en.ts'
import { fillText } from '../../../src/console/i18n/fill-text.ts'
import { zh } from '../../../src/console/i18n/zh.ts'

const WORDS = Object.entries(en) as [Word, string][]

/** A thing as English names it, its term, and a term that is never used. */
const TERMS: readonly (readonly [RegExp, string, string])[] = [
  [/\bsubagents?\b/i, '子智能体', '子代理'],
  [/\bagents?\b/i, '智能体', '代理'],
  [/\bapprovals?\b/i, '审批', '批核'],
  [/\bsecrets?\b/i, '机密', '秘密'],
  [/\b(?:API )?keys?\b(?!=)/i, '密钥', '钥匙'],
  [/\bconversations?\b/i, '对话', '会谈'],
  [/\bskills?\b/i, '技能', '技巧'],
  [/\btokens?\b/i, '词元', '令牌'],
  [/\brepositor(?:y|ies)\b/i, '仓库', '存储库'],
]

/** Without places and code. */
const plain = (text: string): string => text.replaceAll(/\{\w+\}|`[^`]*`/g, '')

const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name = '']) => name).toSorted()

describe('console texts', () => {
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
