/**
 * Splits Markdown into blocks that are parsed separately. While a message is being written, only
 * its last block changes, so earlier blocks are not parsed again.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/**
 * Matches a line that may continue the block before an empty line: a list, a quote, or a footnote.
 */
const CONTINUES = /^(?:\s|[-*+>]|\d+[.)]|\[)/

/** Splits text at empty lines outside of code fences; the concatenated blocks equal the text. */
export function blocksOf(text: string): readonly string[] {
  const blocks: string[] = []
  let fence: string | undefined
  let from = 0
  let at = 0
  let isAfterEmpty = false
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === ''
    if (fence === undefined && isAfterEmpty && !isEmpty && !CONTINUES.test(line) && at > from) {
      blocks.push(text.slice(from, at))
      from = at
    }
    const [, mark] = FENCE.exec(line) ?? []
    if (mark !== undefined) {
      if (fence === undefined) fence = mark
      else if (mark[0] === fence[0] && mark.length >= fence.length) fence = undefined
    }
    isAfterEmpty = isEmpty
    at += line.length + 1
  }
  if (from < text.length) blocks.push(text.slice(from))
  return blocks
}
