/**
 * Edits one table of a TOML text. Comments, order, blank lines, and other tables stay
 * byte-identical; inside the table only differences are edited. A parser locates the text ranges,
 * and the result is parsed again and compared. An unsupported layout is therefore rejected, never
 * corrupted.
 */

import { type AST, parseTOML } from 'toml-eslint-parser'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { isDate, parseToml, type TomlResult } from './parse.ts'
import { renderKey, renderPath, renderValue, type Table } from './write.ts'

type Path = readonly string[]

/** Key–value pair (`key = value`) anywhere in the document. */
interface Pair {
  /** Path of the pair from the document's root. */
  readonly path: Path
  /** Path of the table or inline table that contains the pair. */
  readonly within: Path
  readonly inline: boolean
  readonly start: number
  readonly end: number
  readonly value: readonly [start: number, end: number]
  readonly isInlineTable: boolean
}
interface Home {
  readonly path: Path
  readonly start: number
  /** End offset of the table's last pair, or of its header. */
  readonly end: number
}
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Returns the text with the table at `path` (two or more keys) set to `after`, or removed if
 * `after` is undefined. Fails with a message if the text is invalid TOML or its layout cannot be
 * edited. Callers that have already parsed the source pass the result.
 */
export function editTable(
  source: string,
  path: Path,
  after: Table | undefined,
  parsed: TomlResult = parseToml(source),
): Outcome<string, string> {
  if (!parsed.ok) return fail(parsed.found.message)
  const { text } = parsed
  const current = lookup(parsed.value, path)
  if (same(current, after)) return ok(source)
  const editor = new Editor(text)
  editor.change(path, current, after)
  const edited = editor.apply()
  const reparsed = parseToml(edited)
  const right = reparsed.ok && same(reparsed.value, replaced(parsed.value, path, after))
  if (!right) return fail("the table's syntax does not allow editing in place")
  return ok(source.slice(0, source.length - text.length) + edited)
}

class Editor {
  private readonly text: string
  private readonly newline: string
  private readonly pairs: Pair[] = []
  private readonly homes: Home[] = []
  private readonly edits: Edit[] = []

  constructor(text: string) {
    this.text = text
    this.newline = text.includes('\r\n') ? '\r\n' : '\n'
    for (const node of parseTOML(text, { tomlVersion: '1.0' }).body[0].body) {
      if (node.type === 'TOMLKeyValue') this.addPair(node, [], false)
      else {
        const path = node.resolvedKey.map(String)
        for (const pair of node.body) this.addPair(pair, path, false)
        const end = node.body.at(-1)?.range[1] ?? node.key.range[1]
        this.homes.push({ path, start: node.range[0], end })
      }
    }
  }

  private addPair(node: AST.TOMLKeyValue, within: Path, inline: boolean): void {
    const path = [...within, ...node.key.keys.map(nameOf)]
    const { value } = node
    const isInlineTable = value.type === 'TOMLInlineTable'
    const [start, end] = node.range
    this.pairs.push({ path, within, inline, start, end, value: value.range, isInlineTable })
    if (isInlineTable) for (const pair of value.body) this.addPair(pair, path, true)
  }

  change(path: Path, previous: unknown, after: unknown): void {
    if (same(previous, after)) return
    const pair = this.pairs.find((candidate) => samePath(candidate.path, path))
    if (after === undefined) this.remove(path)
    else if (previous === undefined) this.insert(path.slice(0, -1), [[path.at(-1)!, after]])
    else if (!isTable(previous) || !isTable(after) || emptied(previous, after)) {
      if (pair) this.replace(pair, after)
      else {
        this.remove(path)
        this.insert(path.slice(0, -1), [[path.at(-1)!, after]])
      }
    } else if (pair?.isInlineTable && path.length > 1 && !sameKeys(previous, after)) {
      this.replace(pair, after)
    } else this.changeKeys(path, previous, after)
  }

  private changeKeys(path: Path, previous: Table, after: Table): void {
    const fresh = Object.entries(after).filter(([key]) => !Object.hasOwn(previous, key))
    for (const key of Object.keys(previous)) {
      this.change([...path, key], getOwn(previous, key), getOwn(after, key))
    }
    if (fresh.length > 0) this.insert(path, fresh)
  }

  private replace(pair: Pair, value: unknown): void {
    this.edits.push({ start: pair.value[0], end: pair.value[1], text: renderValue(value) })
  }

  /**
   * Removes everything at or below `path`: tables, lines of key–value pairs, and members of inline
   * tables.
   */
  private remove(path: Path): void {
    for (const { start, end } of this.homes.filter((home) => begins(home.path, path))) {
      this.edits.push({ start: this.lineStart(start), end: this.lineEnd(end), text: '' })
    }
    for (const pair of this.pairs) {
      if (!begins(pair.path, path) || begins(pair.within, path)) continue
      if (pair.inline) this.removeMember(pair)
      else {
        const { start, end } = pair
        this.edits.push({ start: this.lineStart(start), end: this.lineEnd(end), text: '' })
      }
    }
  }

  private removeMember(pair: Pair): void {
    const members = this.pairs.filter(
      (candidate) => candidate.inline && samePath(candidate.within, pair.within),
    )
    const at = members.indexOf(pair)
    const start = at > 0 ? members[at - 1]!.end : pair.start
    const end = at > 0 ? pair.end : (members[1]?.start ?? pair.end)
    this.edits.push({ start, end, text: '' })
  }

  /** Inserts new keys where the text defines the table at `parent`. */
  private insert(parent: Path, entries: readonly (readonly [string, unknown])[]): void {
    const line = ([key, value]: readonly [string, unknown], prefix: Path = []) =>
      `${renderPath([...prefix, key])} = ${renderValue(value)}`
    const inline = this.pairs.find(
      (candidate) => candidate.isInlineTable && samePath(candidate.path, parent),
    )
    if (inline) {
      this.insertMembers(inline, entries.map((entry) => line(entry)).join(', '))
      return
    }
    const home = this.homes.find((candidate) => samePath(candidate.path, parent))
    if (home && parent.length > 1) {
      const last = this.pairs.findLast(
        (candidate) => !candidate.inline && samePath(candidate.within, parent),
      )
      const indent = this.indentOf(last?.start ?? home.start)
      this.insertLines(
        last?.end ?? home.end,
        entries.map((entry) => indent + line(entry)),
      )
      return
    }
    const dotted = this.pairs.findLast(
      (candidate) => !candidate.inline && begins(candidate.path, parent),
    )
    if (dotted && parent.length > 1 && !begins(dotted.within, parent)) {
      const prefix = parent.slice(dotted.within.length)
      const indent = this.indentOf(dotted.start)
      this.insertLines(
        dotted.end,
        entries.map((entry) => indent + line(entry, prefix)),
      )
      return
    }
    const child = this.homes.find((candidate) => begins(candidate.path, parent))
    if (child && parent.length > 1) {
      const lines = [`[${renderPath(parent)}]`, ...entries.map((entry) => line(entry)), '']
      const start = this.lineStart(child.start)
      this.edits.push({ start, end: start, text: lines.join(this.newline) })
      return
    }
    for (const [key, value] of entries) this.append([...parent, key], value)
  }

  private insertMembers(inline: Pair, members: string): void {
    const last = this.pairs.findLast(
      (candidate) => candidate.inline && samePath(candidate.within, inline.path),
    )
    if (last) this.edits.push({ start: last.end, end: last.end, text: `, ${members}` })
    else this.edits.push({ start: inline.value[0], end: inline.value[1], text: `{ ${members} }` })
  }

  private insertLines(after: number, lines: readonly string[]): void {
    const at = this.lineEnd(after)
    const open = at > 0 && this.text[at - 1] !== '\n' ? this.newline : ''
    const text = open + lines.map((line) => line + this.newline).join('')
    this.edits.push({ start: at, end: at, text })
  }

  /** Appends a separate table for `path` at the end of the text. */
  private append(path: Path, value: unknown): void {
    const { length } = this.text
    const blank = length === 0 || /\n\r?\n$/.test(this.text) ? [] : ['']
    const open = length > 0 && !this.text.endsWith('\n') ? this.newline : ''
    const body = isTable(value)
      ? Object.entries(value).map(([key, member]) => `${renderKey(key)} = ${renderValue(member)}`)
      : []
    const lines = [...blank, `[${renderPath(path)}]`, ...body, '']
    this.edits.push({ start: length, end: length, text: open + lines.join(this.newline) })
  }

  apply(): string {
    const edits = [...this.edits].sort(
      (left, right) => right.start - left.start || right.end - left.end,
    )
    let out = this.text
    for (const { start, end, text } of edits) out = out.slice(0, start) + text + out.slice(end)
    return out
  }

  private lineStart(at: number): number {
    return this.text.lastIndexOf('\n', at - 1) + 1
  }

  private lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at)
    return end === -1 ? this.text.length : end + 1
  }

  private indentOf(at: number): string {
    return this.text.slice(this.lineStart(at), at).match(/^[ \t]*/)?.[0] ?? ''
  }
}

const nameOf = (key: AST.TOMLBare | AST.TOMLQuoted): string =>
  key.type === 'TOMLBare' ? key.name : key.value

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value)

const samePath = (left: Path, right: Path): boolean =>
  left.length === right.length && begins(left, right)
const begins = (path: Path, start: Path): boolean =>
  start.every((key, index) => path[index] === key)

const sameKeys = (left: Table, right: Table): boolean =>
  same(Object.keys(left).sort(), Object.keys(right).sort())

/** Whether an edit removes all keys of a table, so that the table must be written as `{}`. */
const emptied = (previous: Table, after: Table): boolean =>
  Object.keys(after).length === 0 && Object.keys(previous).length > 0

function lookup(value: unknown, path: Path): unknown {
  let at = value
  for (const key of path) at = isTable(at) ? getOwn(at, key) : undefined
  return at
}

function replaced(value: Table, [key, ...subpath]: Path, after: Table | undefined): Table {
  const { [key!]: inner, ...siblings } = value
  if (subpath.length === 0) return after === undefined ? siblings : { ...siblings, [key!]: after }
  const changed = replaced(isTable(inner) ? inner : {}, subpath, after)
  return { ...siblings, [key!]: changed }
}

/** Compares parsed TOML values; at the root, an absent table equals an empty one. */
function same(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => same(item, right[index]))
  }
  if (isDate(left) && isDate(right)) return String(left) === String(right)
  if (!isTable(left) || !isTable(right)) return Object.is(left, right)
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return keys.every(
    (key) =>
      same(getOwn(left, key), getOwn(right, key)) ||
      (key === 'mcp_servers' && isBare(getOwn(left, key)) && isBare(getOwn(right, key))),
  )
}

/**
 * Reads only an own property of a table, because a key may be `__proto__`, which every object
 * inherits.
 */
const getOwn = (table: Table, key: string): unknown =>
  Object.hasOwn(table, key) ? table[key] : undefined

const isBare = (value: unknown): boolean =>
  value === undefined || (isTable(value) && Object.keys(value).length === 0)
