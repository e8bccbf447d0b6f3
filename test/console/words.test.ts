/** The words of the console: one file a language, the same places in both, one term for one thing. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en, type Word } from '../../src/console/words/en.ts'
import { zh } from '../../src/console/words/zh.ts'

const WORDS = Object.entries(en) as [Word, string][]

/** A thing as English names it, and the one term for it. */
const TERMS: readonly (readonly [RegExp, string, string])[] = [
  [/\bsubagents?\b/i, '子智能体', '子代理'],
  [/(?<!User-)\bagents?\b/i, '智能体', '代理'],
  [/\bapprovals?\b/i, '审批', '批核'],
  [/\bschedules?\b/i, '定时任务', '计划任务'],
  [/\bsecrets?\b/i, '机密', '秘密'],
  [/\b(?:API )?keys?\b(?!=)/i, '密钥', '钥匙'],
  [/\bfan-outs?\b/i, '扇出', '扇形'],
  [/\bdeliver(?:y|ies)\b/i, '投递', '交付'],
  [/\bendpoints?\b/i, '端点', '终端'],
  [/\bhooks?\b/i, '钩子', '挂钩'],
  [/\bmemory\b/i, '记忆', '内存'],
  [/\bconversations?\b/i, '对话', '会谈'],
  [/\bskills?\b/i, '技能', '技巧'],
  [/\btokens?\b/i, '词元', '令牌'],
  [/\brepositor(?:y|ies)\b/i, '仓库', '存储库'],
  [/\bpolicy\b/i, '策略', '政策'],
  [/\btenants?\b/i, '租户', '承租人'],
]

/** Without places to fill in, code and paths. */
const said = (text: string): string => text.replaceAll(/\{\w+\}|`[^`]*`|\.agents\//g, '')

const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name = '']) => name).toSorted()

describe('words of the console', () => {
  it('stand in one file a language', () => {
    const folder = join(import.meta.dirname, '../../src/console/words')
    expect(readdirSync(folder).toSorted()).toEqual(['en.ts', 'zh.ts'])
  })

  it('fill in the same places in both languages', () => {
    const other = WORDS.filter(([word, text]) => `${placesOf(text)}` !== `${placesOf(zh[word])}`)
    expect(other).toEqual([])
  })

  it('are in Chinese where a term is not a name', () => {
    const names = WORDS.filter(([word, text]) => zh[word] === text && /[a-z]{4}/i.test(text))
    expect(names.map(([word]) => word).toSorted()).toMatchInlineSnapshot(`
      [
        "app.name",
        "hooks.try.event",
        "run.json",
      ]
    `)
  })

  it('have one Chinese term for one thing, and never another one', () => {
    const others = WORDS.filter(([word]) => TERMS.some(([, , other]) => zh[word].includes(other)))
    expect(others.map(([word]) => `${word}: ${zh[word]}`)).toEqual([])
    const without = TERMS.flatMap(([thing, term]) => {
      const named = WORDS.filter(([, text]) => thing.test(said(text)))
      return named.flatMap(([word]) =>
        zh[word].includes(term) ? [] : [`${term} ${word}: ${zh[word]}`],
      )
    })
    expect(without).toEqual([])
  })

  it('call a secret no key, and a key no secret', () => {
    const mixed = WORDS.filter(
      ([word, text]) =>
        (zh[word].includes('密钥') && !/\bkeys?\b/i.test(text)) ||
        (zh[word].includes('机密') && !/\bsecrets?\b/i.test(text)),
    )
    expect(mixed.map(([word]) => `${word}: ${zh[word]}`)).toEqual([])
  })
})
