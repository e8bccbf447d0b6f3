/**
 * `content_search`: lines of files that match a text or an expression, or only their paths or
 * counts. Oversized files are omitted, and a truncated result ends with a note.
 */

import { LIMITS } from '../../core/limits.ts'
import { contentSearch as tool } from '../../core/tools/builtin/content-search.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { type LineFinder, type LineQuery, lineFinder } from './line-finder.ts'
import { type FileListing, matchingBelow } from './listing.ts'
import { type Folder, performed, spaceOf } from './tool.ts'

const MAX_LINE = 300
const AT_ONCE = 16

interface Args extends LineQuery {
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

async function search(folder: Folder, args: Args): Promise<ToolAnswer> {
  if ((args.query === undefined) === (args.pattern === undefined)) {
    return bad('invalid_arguments: pass either `pattern` or `query`; `glob` selects the files.')
  }
  const { glob = '**' } = args
  const matches = await matchingBelow(folder, args.path ?? '', glob)
  if (typeof matches === 'string') return bad(matches)
  const finder = lineFinder(folder.world.clock, args)
  if (!finder.ok) return bad(finder.error)
  const page = new Page(args)
  await look(folder, matches.files, finder.value, page)
  return good(page.text(matches.notes))
}

async function look(
  folder: Folder,
  all: FileListing['files'],
  finder: LineFinder,
  page: Page,
): Promise<void> {
  const files = all.filter(({ size }) => size <= LIMITS.file_body_bytes)
  page.noteSkipped('larger than 1 MB', all.length - files.length)
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

/** Page of search hits to return to the model. */
class Page {
  readonly #args: Args
  readonly #from: number
  readonly #to: number
  readonly #output: string[] = []
  readonly #notes: string[] = []
  #count = 0

  constructor(args: Args) {
    this.#args = args
    this.#from = args.offset ?? 0
    this.#to = this.#from + (args.limit ?? LIMITS.search_hits)
  }

  get isFull(): boolean {
    return this.#count > this.#to
  }

  note(text: string): void {
    this.#notes.push(text)
  }

  noteSkipped(reason: string, files: number): void {
    if (files > 0) this.note(`[not searched: ${files} files ${reason}]`)
  }

  add(path: string, lines: readonly string[], hits: readonly number[]): void {
    if (hits.length === 0) return
    const { output_mode = 'content' } = this.#args
    if (output_mode !== 'content') {
      const entry = output_mode === 'count' ? `${path}:${hits.length}` : path
      if (this.#isShown(this.#count)) this.#output.push(entry)
      this.#count += 1
      return
    }
    const visibleHits = hits.filter((_, index) => this.#isShown(this.#count + index))
    this.#count += hits.length
    if (visibleHits.length > 0) this.#excerpts(path, lines, visibleHits)
  }

  #isShown(index: number): boolean {
    return index >= this.#from && index < this.#to
  }

  /** Adds excerpts of matching lines in the format of `grep`: `--` separates non-adjacent lines. */
  #excerpts(path: string, lines: readonly string[], hits: readonly number[]): void {
    const { context = 0, before: linesBefore = context, after = context } = this.#args
    const isHit = new Set(hits)
    let next = 0
    let first = true
    for (const hit of hits) {
      const from = Math.max(next, hit - linesBefore)
      const gap = first ? this.#output.length > 0 : from > next
      if (gap && linesBefore + after > 0) this.#output.push('--')
      first = false
      next = Math.max(next, Math.min(lines.length, hit + after + 1))
      for (let at = from; at < next; at += 1) {
        this.#output.push(this.#line(path, at, lines[at]!, isHit.has(at)))
      }
    }
  }

  #line(path: string, at: number, line: string, isHit: boolean): string {
    const mark = isHit ? ':' : '-'
    const number = this.#args.line_numbers === false ? '' : `${at + 1}${mark}`
    const text = line.trimEnd()
    const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
    return `${path}${mark}${number} ${cut}`
  }

  text(notes: readonly string[]): string {
    const all = [...notes, ...this.#notes]
    const unit = (this.#args.output_mode ?? 'content') === 'content' ? 'lines' : 'files'
    const shownCount = Math.max(0, Math.min(this.#count, this.#to) - this.#from)
    if (this.#count === 0) return ['Nothing found.', ...all].join('\n')
    if (shownCount < this.#count) all.push(`[only ${shownCount} of ${this.#count} ${unit}]`)
    if (this.#count > this.#to) all.push(`[continue with offset ${this.#to}]`)
    return [...this.#output, ...all].join('\n')
  }
}
