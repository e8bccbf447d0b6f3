/** Words of the page in the language of the reader; the other one stays a chunk of its own. */

import { useSyncExternalStore } from 'react'
import { en, type Word } from '../words/en.ts'
import { loaded } from './loaded.ts'

export type Language = 'en' | 'zh'
export type { Word } from '../words/en.ts'

type Values = Readonly<Record<string, string | number>>

const KEPT = 'strata.language'
let words: Readonly<Record<Word, string>> = en
let language: Language = 'en'
const listeners = new Set<() => void>()

export const languageOf = (): Language => language

/** The language that the reader chose before, else the one that the browser prefers. */
export async function chooseLanguage(chosen?: Language): Promise<void> {
  if (chosen) localStorage.setItem(KEPT, chosen)
  const wanted = chosen ?? localStorage.getItem(KEPT) ?? navigator.language
  const next = wanted.startsWith('zh') ? 'zh' : 'en'
  // Both at once: whoever renders meanwhile stays in the language before.
  words = next === 'zh' ? (await loaded(() => import('../words/zh.ts'))).zh : en
  language = next
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  for (const listener of listeners) listener()
}

/** `{n, plural, one {# file} other {# files}}`, by the rules of the language. */
const PLURAL = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g
const counted = (text: string, values: Values): string =>
  text.replaceAll(PLURAL, (_, name: string, one: string, other: string) => {
    const value = values[name] ?? 0
    const isOne = new Intl.PluralRules(language).select(Number(value)) === 'one'
    return (isOne ? one : other).replaceAll('#', String(value))
  })

/** The sentence with its places filled. */
export function say(word: Word, values: Values = {}): string {
  return counted(words[word], values).replaceAll(/\{(\w+)\}/g, (all, name: string) =>
    name in values ? String(values[name]) : all,
  )
}

/** `say`, rendered anew when the language changes. */
export function useWords(): typeof say {
  useSyncExternalStore(subscribe, languageOf)
  return say
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, languageOf)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
