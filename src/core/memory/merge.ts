/**
 * Adds entries to a Markdown file under their headings: list items, paragraphs, and fenced blocks.
 * Existing entries are skipped, so adding is idempotent for any number of writers. Existing text
 * never changes.
 */

export interface Merged {
  readonly text: string
  readonly added: number
  /** Number of added entries that already existed. */
  readonly duplicates: number
}

interface Section {
  /** Heading above the entries; null if they have none. */
  readonly heading: { readonly line: string; readonly name: string } | null
  readonly entries: readonly string[]
}

const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/
const FENCE = /^\s{0,3}(```+|~~~+)/
const ITEM = /^(?:[-*+]|\d{1,9}[.)])\s+/

/**
 * Merges entries into a Markdown file. `heading` applies to entries without a heading, and is
 * prefixed with `## ` if the file does not contain it.
 */
export function merged(current: string, content: string, heading?: string): Merged {
  const fallback = heading === undefined ? null : { line: `## ${heading}`, name: nameOf(heading) }
  let lines = current === '' ? [] : closed(current.replace(/\r?\n$/, '').split('\n'))
  let added = 0
  let duplicates = 0
  for (const { heading: ownHeading, entries } of sectionsOf(content)) {
    const under = ownHeading ?? fallback
    const place = under ? placeOf(lines, under.name) : { from: 0, to: lines.length, isNew: false }
    const existing = new Set(entriesOf(lines.slice(place.from, place.to)).map(normal))
    const fresh: string[] = []
    for (const entry of entries) {
      if (existing.has(normal(entry))) duplicates += 1
      else fresh.push(entry)
      existing.add(normal(entry))
    }
    if (fresh.length === 0) continue
    added += fresh.length
    const head = place.isNew && under ? [under.line, ''] : []
    lines = inserted(lines, place.to, head, fresh)
  }
  return { text: added === 0 ? current : `${lines.join('\n')}\n`, added, duplicates }
}

function sectionsOf(content: string): Section[] {
  const sections: { heading: Section['heading']; lines: string[] }[] = [
    { heading: null, lines: [] },
  ]
  let fence: string | undefined
  for (const raw of closed(content.split('\n'))) {
    const line = bare(raw)
    fence = fenceAfter(fence, line)
    const match = fence === undefined ? headingOf(line) : null
    if (match) sections.push({ heading: { line, name: nameOf(match[2]!) }, lines: [] })
    else sections.at(-1)!.lines.push(line)
  }
  return sections.map(({ heading, lines }) => ({ heading, entries: entriesOf(lines) }))
}

/**
 * Splits lines of Markdown into entries: list items with their continuation lines, paragraphs, and
 * fenced blocks. Headings end an entry.
 */
function entriesOf(lines: readonly string[]): string[] {
  const blocks: string[][] = []
  let open: string[] | undefined
  let fence: string | undefined
  for (const raw of lines) {
    const line = bare(raw)
    const previousFence = fence
    fence = fenceAfter(fence, line)
    if (previousFence === undefined && fence === undefined) {
      if (line.trim() === '' || headingOf(line) !== null) {
        open = undefined
        continue
      }
      if (ITEM.test(line)) open = undefined
    }
    if (!open) {
      open = []
      blocks.push(open)
    }
    open.push(line)
  }
  return blocks.map((block) => block.join('\n').trimEnd()).filter((block) => block.trim() !== '')
}

const bare = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

const headingOf = (line: string): RegExpExecArray | null =>
  line.startsWith('#') ? HEADING.exec(line) : null

/** Closes a code fence that is still open, because it would enclose everything added after it. */
function closed(lines: string[]): string[] {
  let open: string | undefined
  for (const line of lines) open = fenceAfter(open, line)
  return open === undefined ? lines : [...lines, open]
}

/** Returns the marker of the code fence that is open after this line, or undefined. */
function fenceAfter(open: string | undefined, line: string): string | undefined {
  if (!line.includes('```') && !line.includes('~~~')) return open
  const mark = FENCE.exec(line)?.[1]
  if (open === undefined) return mark
  return mark?.startsWith(open) ? undefined : open
}

const nameOf = (heading: string): string => heading.trim().replace(/\s+/g, ' ').toLowerCase()

/** Returns the words of an entry without its formatting. */
const normal = (entry: string): string =>
  entry.normalize('NFKC').replace(ITEM, '').replace(/\s+/g, ' ').trim().toLowerCase()

/**
 * Returns the range between a heading and the next heading, or the end of the file if the heading
 * is missing.
 */
function placeOf(lines: readonly string[], name: string) {
  let fence: string | undefined
  let from = -1
  for (const [at, line] of lines.entries()) {
    fence = fenceAfter(fence, line)
    const match = fence === undefined ? headingOf(bare(line)) : null
    if (!match) continue
    if (from !== -1) return { from, to: at, isNew: false }
    if (nameOf(match[2]!) === name) from = at + 1
  }
  if (from === -1) return { from: lines.length, to: lines.length, isNew: true }
  return { from, to: lines.length, isNew: false }
}

/**
 * Inserts an entry after the last non-blank line before `end`. No blank line is added between list
 * items.
 */
function inserted(
  lines: readonly string[],
  end: number,
  head: readonly string[],
  entries: readonly string[],
): string[] {
  let at = end
  while (at > 0 && lines[at - 1]!.trim() === '') at -= 1
  const block: string[] = [...head]
  let previousLine = head.length > 0 ? '' : (lines[at - 1] ?? '')
  if (at > 0 && head.length > 0) block.unshift('')
  for (const [index, entry] of entries.entries()) {
    const first = index === 0 && head.length === 0
    const together = ITEM.test(entry) && (ITEM.test(previousLine) || /^\s+\S/.test(previousLine))
    if (previousLine !== '' && !together && (!first || at > 0)) block.push('')
    block.push(...entry.split('\n'))
    previousLine = entry.split('\n').at(-1)!
    if (ITEM.test(entry)) previousLine = entry
  }
  const trailing = lines.slice(at)
  const gap = trailing.length > 0 && trailing[0]!.trim() !== '' ? [''] : []
  return [...lines.slice(0, at), ...block, ...gap, ...trailing]
}
