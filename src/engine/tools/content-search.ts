/**
 * `content_search`: lines of files that a text or an expression matches, their paths, or how many
 * they are. Files that are too large are left out, and whatever is cut is said at the end.
 */

import { LIMITS } from '../../core/limits.ts'
import { contentSearch as tool } from '../../core/tools/builtin/content-search.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { type LineFinder, lineFinder, type Wanted } from './line-finder.ts'
import { type Found, matchingBelow } from './listing.ts'
import { type Folder, performed, spaceOf } from './tool.ts'

const MAX_LINE = 300
const AT_ONCE = 16

interface Given extends Wanted {
  readonly path?: string
  readonly glob?: string
  readonly output_mode?: 'content' | 'files_with_matches' | 'count'
  readonly before?: number
  readonly after?: number
  readonly context?: number
  readonly line_numbers?: boolean
  readonly limit?: number
  readonly offset?: number
}

export const contentSearch = performed(tool, { perform: search })

async function search(folder: Folder, given: Given): Promise<ToolAnswer> {
  if ((given.query === undefined) === (given.pattern === undefined)) {
    return bad('invalid_arguments: pass either `pattern` or `query`; `glob` selects the files.')
  }
  const { glob = '**' } = given
  const found = await matchingBelow(folder, given.path ?? '', glob)
  if (typeof found === 'string') return bad(found)
  const finder = lineFinder(folder.world.clock, given)
  if (!finder.ok) return bad(finder.error)
  const page = new Page(given)
  await look(folder, found.files, finder.value, page)
  return good(page.text(found.notes))
}

async function look(
  folder: Folder,
  all: Found['files'],
  finder: LineFinder,
  page: Page,
): Promise<void> {
  const files = all.filter(({ size }) => size <= LIMITS.file_body_bytes)
  page.left('larger than 1 MB', all.length - files.length)
  const end = Math.min(files.length, LIMITS.search_files)
  let at = 0
  for (; at < end && !page.isFull && !finder.isOver(); at += AT_ONCE) {
    const some = files.slice(at, Math.min(at + AT_ONCE, end))
    const bodies = await Promise.all(some.map(({ key }) => readFile(spaceOf(folder), key)))
    for (const [index, file] of bodies.entries()) {
      const text = file ? decodeStrict(file.body) : undefined
      if (text === undefined) continue
      const lines = text.split('\n')
      const { hits, skipped } = await finder.find(text, lines)
      if (skipped)
        page.note(
          `[${some[index]!.path}: not fully searched; lines are too long for this expression]`,
        )
      page.add(some[index]!.path, lines, hits)
    }
  }
  if (finder.isOver())
    page.note(`[stopped after ${LIMITS.search_seconds} s: the search is incomplete]`)
  else if (page.isFull && at < files.length) page.note('[more files were not searched]')
  else if (files.length > end) page.note(`[only ${end} of ${files.length} files]`)
}

/** The part of all hits that is answered, as it grows. */
class Page {
  readonly #given: Given
  readonly #from: number
  readonly #to: number
  readonly #shown: string[] = []
  readonly #notes: string[] = []
  #count = 0

  constructor(given: Given) {
    this.#given = given
    this.#from = given.offset ?? 0
    this.#to = this.#from + (given.limit ?? LIMITS.search_hits)
  }

  get isFull(): boolean {
    return this.#count > this.#to
  }

  note(text: string): void {
    this.#notes.push(text)
  }

  left(why: string, files: number): void {
    if (files > 0) this.note(`[not searched: ${files} files ${why}]`)
  }

  add(path: string, lines: readonly string[], hits: readonly number[]): void {
    if (hits.length === 0) return
    const { output_mode = 'content' } = this.#given
    if (output_mode !== 'content') {
      const entry = output_mode === 'count' ? `${path}:${hits.length}` : path
      if (this.#isShown(this.#count)) this.#shown.push(entry)
      this.#count += 1
      return
    }
    const shown = hits.filter((_, index) => this.#isShown(this.#count + index))
    this.#count += hits.length
    if (shown.length > 0) this.#excerpts(path, lines, shown)
  }

  #isShown(index: number): boolean {
    return index >= this.#from && index < this.#to
  }

  /** As `grep` writes them: `--` between lines that do not follow one another. */
  #excerpts(path: string, lines: readonly string[], hits: readonly number[]): void {
    const { context = 0, before = context, after = context } = this.#given
    const isHit = new Set(hits)
    let next = 0
    let first = true
    for (const hit of hits) {
      const from = Math.max(next, hit - before)
      const gap = first ? this.#shown.length > 0 : from > next
      if (gap && before + after > 0) this.#shown.push('--')
      first = false
      next = Math.max(next, Math.min(lines.length, hit + after + 1))
      for (let at = from; at < next; at += 1) {
        this.#shown.push(this.#line(path, at, lines[at]!, isHit.has(at)))
      }
    }
  }

  #line(path: string, at: number, line: string, isHit: boolean): string {
    const mark = isHit ? ':' : '-'
    const number = this.#given.line_numbers === false ? '' : `${at + 1}${mark}`
    const text = line.trimEnd()
    const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
    return `${path}${mark}${number} ${cut}`
  }

  text(notes: readonly string[]): string {
    const all = [...notes, ...this.#notes]
    const what = (this.#given.output_mode ?? 'content') === 'content' ? 'lines' : 'files'
    const shown = Math.max(0, Math.min(this.#count, this.#to) - this.#from)
    if (this.#count === 0) return ['Nothing found.', ...all].join('\n')
    if (shown < this.#count) all.push(`[only ${shown} of ${this.#count} ${what}]`)
    if (this.#count > this.#to) all.push(`[continue with offset ${this.#to}]`)
    return [...this.#shown, ...all].join('\n')
  }
}
