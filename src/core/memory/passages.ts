/**
 * Passage of a Markdown file, the unit of search results. A heading starts a new passage, and so
 * does a blank line after enough text. A very long line is split into several passages.
 */

export interface Passage {
  /** First and last line of the passage, 1-based and inclusive. */
  readonly from: number
  readonly to: number
  /** Headings above the passage, outermost first, separated by ` › `. */
  readonly heading: string
  readonly text: string
}

/**
 * Length in characters after which a blank line ends a passage, and the maximum length of a
 * passage.
 */
const SOFT_LIMIT = 400
const MOST = 1_600
const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/
const FENCE = /^\s{0,3}(?:```|~~~)/

export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = []
  const trail: string[] = []
  let lines: string[] = []
  let from = 1
  let size = 0
  let fenced = false
  const close = (next: number): void => {
    const body = lines.join('\n').trimEnd()
    const lead = lines.findIndex((line) => line.trim() !== '')
    if (lead !== -1) {
      const bodyLines = body.split('\n').slice(lead)
      const at = from + lead
      const heading = trail.filter(Boolean).join(' › ')
      passages.push({
        from: at,
        to: at + bodyLines.length - 1,
        heading,
        text: bodyLines.join('\n'),
      })
    }
    lines = []
    size = 0
    from = next
  }
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\r$/, '')
    const number = index + 1
    const heading = fenced ? null : HEADING.exec(line)
    if (FENCE.test(line)) fenced = !fenced
    if (heading) {
      close(number)
      const depth = heading[1]!.length
      trail.length = Math.min(trail.length, depth - 1)
      trail[depth - 1] = heading[2]!
    } else if (line.trim() === '' && !fenced && size >= SOFT_LIMIT) close(number)
    else if (size + line.length > MOST) close(number)
    if (line.length > MOST) {
      for (const piece of pieces(line)) {
        lines = [piece]
        close(number)
      }
      from = number + 1
      continue
    }
    lines.push(line)
    size += line.length + 1
  }
  close(0)
  return passages
}

function pieces(line: string): string[] {
  const characters = [...line]
  const parts: string[] = []
  for (let at = 0; at < characters.length; at += MOST) {
    parts.push(characters.slice(at, at + MOST).join(''))
  }
  return parts
}
