/**
 * Search term of a text: a word without case and accents. In scripts without spaces (such as
 * Chinese, Japanese, and Thai), every two adjacent characters form a term, and so does the last
 * character alone. A query can therefore match any part of the text.
 */

export interface Term {
  readonly term: string
  /** Position of the term in the text, in UTF-16 units; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

const WORD = /[\p{L}\p{N}\p{M}_]+/gu
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu
/** Maximum length of a searchable word, in characters. */
const LONGEST = 64
const NOT_ASCII = /[^ -~]/

export function termsOf(text: string): Term[] {
  const terms: Term[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    // ASCII has neither accents nor scripts without spaces.
    if (!NOT_ASCII.test(word)) {
      const term = word.toLowerCase().slice(0, LONGEST)
      terms.push({ term, from: index, to: index + word.length })
      continue
    }
    let at = 0
    for (const { 0: run, index: start } of word.matchAll(UNSPACED)) {
      if (start > at) terms.push(plain(word.slice(at, start), index + at))
      pairs(terms, run, index + start)
      at = start + run.length
    }
    if (at < word.length) terms.push(plain(word.slice(at), index + at))
  }
  return terms
}

const plain = (word: string, from: number): Term => ({
  term: foldWord(word).slice(0, LONGEST),
  from,
  to: from + word.length,
})

const foldWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

function pairs(terms: Term[], run: string, from: number): void {
  const characters = [...run]
  let at = from
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? ''
    const pair = character + next
    terms.push({ term: pair.normalize('NFKC'), from: at, to: at + pair.length })
    at += character.length
  }
}

export const isUnspaced = (term: string): boolean => term.search(UNSPACED) === 0

/** Returns the positions of the given terms in a text; adjacent positions are merged. */
export function highlightsOf(
  text: string,
  terms: ReadonlySet<string>,
): (readonly [number, number])[] {
  const ranges: [number, number][] = []
  for (const { term, from, to } of termsOf(text)) {
    if (!terms.has(term)) continue
    const last = ranges.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return ranges
}
