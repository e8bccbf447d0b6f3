/** Console texts in the reader's language; the Chinese texts are a separate chunk. */

import { useSyncExternalStore } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { en } from './en.ts'
import type { Word } from './en-pages.ts'
import { fillText, type Language, type Values } from './fill-text.ts'

export type { Word } from './en-pages.ts'
export type { Language } from './fill-text.ts'

export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }

const KEY = 'strata.language'

type Words = Readonly<Record<Word, string>>

/** English texts; those of further pages follow with the first of these pages. */
let english = en as Words
let words: Words = english
let language: Language = 'en'
const listeners = new Set<() => void>()

export const languageOf = (): Language => language

/**
 * Loads the texts of the reader's chosen language, or else of the browser's preferred language. If
 * a later release has replaced the file, the language stays unchanged and a bar reports the new
 * release.
 */
export async function chooseLanguage(choice?: Language): Promise<void> {
  if (choice) localStorage.setItem(KEY, choice)
  const tag = choice ?? localStorage.getItem(KEY) ?? navigator.language
  const next = tag.startsWith('zh') ? 'zh' : 'en'
  const load = (): Promise<{ readonly zh: Words }> => loaded(() => import('./zh.ts'))
  const nextWords =
    next === 'zh'
      ? await load().then(
          ({ zh }) => zh,
          () => undefined,
        )
      : english
  if (!nextWords) return
  words = nextWords
  language = next
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en'
  for (const listener of listeners) listener()
}

/** Loads the English texts of the pages that the chat does not need. */
export async function loadPageTexts(): Promise<void> {
  const { pages } = await loaded(() => import('./en-pages.ts'))
  english = { ...en, ...pages }
  if (language === 'en') words = english
}

/** Returns the text for a key, with its placeholders filled. */
export const say = (word: Word, values: Values = {}): string =>
  fillText(words[word], values, language)

/** Returns `say`, and re-renders the component when the language changes. */
export function useWords(): typeof say {
  useSyncExternalStore(subscribe, languageOf)
  return say
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, languageOf)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
