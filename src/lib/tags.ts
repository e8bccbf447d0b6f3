/** Tags of a row in a list: a letter that may change while it lives, then words without blanks. */

export const taggedAs = (mark: string, words: readonly string[]): string =>
  `${mark} ${words.map((word) => `${word} `).join('')}`

/** How a word stands in the tags: no other contains it. */
export const tagOf = (word: string): string => ` ${word} `

/** Whether the letter is one of `marks` (empty: whatever it is) and all words are there. */
export const isTagged = (
  tags: string | undefined,
  { marks, words }: { readonly marks: string; readonly words: readonly string[] },
): boolean =>
  (marks === '' || (tags !== undefined && marks.includes(tags.charAt(0)))) &&
  words.every((word) => tags?.includes(tagOf(word)) === true)
