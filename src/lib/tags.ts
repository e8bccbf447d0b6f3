/** Builds the tags of a list row: a letter that may change, and then words without spaces. */

export const taggedAs = (mark: string, words: readonly string[]): string =>
  `${mark} ${words.map((word) => `${word} `).join('')}`

/** Formats a word as a tag, which no other tag contains. */
export const tagOf = (word: string): string => ` ${word} `

/** Checks that the letter is in `marks` (empty means any) and all words are present. */
export const isTagged = (
  tags: string | undefined,
  { marks, words }: { readonly marks: string; readonly words: readonly string[] },
): boolean =>
  (marks === '' || (tags !== undefined && marks.includes(tags.charAt(0)))) &&
  words.every((word) => tags?.includes(tagOf(word)) === true)
