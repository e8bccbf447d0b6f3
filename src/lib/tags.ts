/**
 * Builds the tags of a list row: a status letter that may change, followed by words without spaces.
 */

export const taggedAs = (mark: string, words: readonly string[]): string =>
  `${mark} ${words.map((word) => `${word} `).join('')}`

/** Formats a word so that no other word's tag contains it. */
export const tagOf = (word: string): string => ` ${word} `

/**
 * Reports whether the row's status letter is in `marks` (empty means any) and its tags contain
 * every word.
 */
export const isTagged = (
  tags: string | undefined,
  { marks, words }: { readonly marks: string; readonly words: readonly string[] },
): boolean =>
  (marks === '' || (tags !== undefined && marks.includes(tags.charAt(0)))) &&
  words.every((word) => tags?.includes(tagOf(word)) === true)
