/** Tags of a row in a list: a letter that may change while it lives, then words without blanks. */

export const taggedAs = (mark: string, words: readonly string[]): string =>
  `${mark} ${words.map((word) => `${word} `).join('')}`

/** Formats a word as a tag, which no other tag contains. */
export const tagOf = (word: string): string => ` ${word} `

/** Whether the letter is in `marks` (empty: no condition) and all words are present. */
export const isTagged = (
  tags: string | undefined,
  { marks, words }: { readonly marks: string; readonly words: readonly string[] },
): boolean =>
  (marks === '' || (tags !== undefined && marks.includes(tags.charAt(0)))) &&
  words.every((word) => tags?.includes(tagOf(word)) === true)
