/**
 * Parses front matter as plain data: YAML 1.2 without aliases, tags, or duplicate keys. Every
 * scalar keeps its literal text, because `version: 0755` in a description is a string. Limits
 * checked before parsing bound the cost of malicious nesting.
 */

import { isAlias, isMap, isScalar, isSeq, type Node, type ParsedNode, parseDocument } from 'yaml'
import { LIMITS } from '../../limits.ts'
import { error } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { Head, HeadEntry, Plain } from './head.ts'
import { simpleHead } from './simple-head.ts'

export type YamlResult =
  | { readonly ok: true; readonly head: Head }
  | { readonly ok: false; readonly error: Diagnostic; readonly recoverable: boolean }

const DEPTH = 64

/**
 * Parses the YAML text between the fences. `firstLine` is the file's line number of the text's
 * first line. `recoverable` is false if requoting a value could only hide the error.
 */
export const parseYaml = (text: string, firstLine = 1): YamlResult =>
  parseSimply(text, firstLine) ?? withKeysCounted(parseFully(text, firstLine))

/**
 * Parses common front matter without the full parser; returns undefined if the full parser is
 * required.
 */
export function parseSimply(text: string, firstLine: number): YamlResult | undefined {
  const simple = simpleHead(text, firstLine)
  return simple && withKeysCounted({ ok: true, head: simple })
}

function withKeysCounted(parsed: YamlResult): YamlResult {
  if (!parsed.ok || keysOf([...parsed.head.values()]) <= LIMITS.front_matter_keys) return parsed
  const large = `it has more than ${LIMITS.front_matter_keys} keys`
  return rejected(error('frontmatter_too_large', large))
}

/** Counts the keys of all maps in front matter, including the top-level entries. */
function keysOf(entries: readonly HeadEntry[]): number {
  let count = entries.length
  const open: Plain[] = entries.flatMap(({ value }) => (typeof value === 'object' ? [value] : []))
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const members = Object.values(value)
    if (!Array.isArray(value)) count += members.length
    open.push(...members)
  }
  return count
}

/** Parses front matter with the full parser only. */
export function parseFully(text: string, firstLine = 1): YamlResult {
  if (tooDeep(text)) return rejected(tooNested(null))
  const large = tooLarge(text)
  if (large !== undefined) return rejected(error('frontmatter_too_large', large))
  try {
    return parseBounded(text, firstLine)
  } catch {
    // The parser is recursive, so even input within the limits may exhaust the stack and throw.
    return rejected(error('yaml_invalid', 'the front matter cannot be parsed as YAML'))
  }
}

const rejected = (finding: Diagnostic, recoverable = false): YamlResult => ({
  ok: false,
  error: finding,
  recoverable,
})

/**
 * Rejects input whose parsing cost grows faster than its size: too many lines or special
 * characters.
 */
export function tooLarge(text: string): string | undefined {
  const { front_matter_lines, front_matter_marks } = LIMITS
  let lines = 1
  let marks = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 0x0a) lines += 1
    else if (MARKS.has(code)) marks += 1
  }
  if (lines > front_matter_lines) return `it has more than ${front_matter_lines} lines`
  const many = `it has more than ${front_matter_marks} YAML special characters`
  return marks > front_matter_marks ? many : undefined
}

const MARKS = new Set([...'[]{},:&*!|>\'"%@`#?'].map((char) => char.charCodeAt(0)))

function tooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 0x5b || code === 0x7b) depth += 1
    else if ((code === 0x5d || code === 0x7d) && depth > 0) depth -= 1
    if (depth > DEPTH) return true
  }
  return /(?:[-?:][ \t]+){64}/.test(text)
}

/** Parses without stack traces, because text with an error in each line would take twice as long. */
function parseWithoutTraces(text: string) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parseDocument<ParsedNode, true>(text, {
      version: '1.2',
      // Duplicate keys are checked later, because the parser compares each key with all previous
      // keys.
      uniqueKeys: false,
      // Known tags are resolved differently by the parser's builds for Node and for other platforms.
      resolveKnownTags: false,
      prettyErrors: false,
      // Without this level, the parser would silently drop a second document.
      logLevel: 'error',
    })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function parseBounded(text: string, firstLine: number): YamlResult {
  const starts = lineStarts(text)
  const lineAt = (offset: number) => firstLine + lineIndex(starts, offset)
  const doc = parseWithoutTraces(text)
  // The parser only warns about an unknown tag, which is an error here.
  const wrong = doc.errors[0] ?? doc.warnings[0]
  if (wrong !== undefined) {
    const recoverable = wrong.code !== 'MULTIPLE_DOCS'
    return rejected(explain(wrong.code, wrong.message, lineAt(wrong.pos[0])), recoverable)
  }
  const root = doc.contents
  if (root === null) return { ok: true, head: new Map() }
  if (!isMap(root)) {
    return rejected(
      error('frontmatter_not_mapping', 'the front matter must be a list of `key: value` lines', {
        line: firstLine,
        hint: 'name: my-name',
      }),
    )
  }
  const head = new Map<string, HeadEntry>()
  for (const { key, value } of root.items) {
    const name = keyText(key as Node)
    const line = lineAt(offsetOf(key as Node))
    if (name === undefined) return rejected(badNode(line, 'a key'))
    if (head.has(name)) return rejected(duplicateKey(line), true)
    const converted = convert(value as Node | null, 1)
    if (converted === undefined) return rejected(badNode(line, 'a value'))
    if ('fault' in converted) {
      const at = lineAt(converted.at)
      return rejected(converted.fault === 'twice' ? duplicateKey(at) : tooNested(at))
    }
    head.set(name, { value: converted.value, line, ...literal(value as Node | null) })
  }
  return { ok: true, head }
}

const tooNested = (line: number | null): Diagnostic =>
  error('yaml_depth', `nested more than ${DEPTH} levels deep`, { line })

const duplicateKey = (line: number): Diagnostic =>
  explain('DUPLICATE_KEY', 'Map keys must be unique', line)

const badNode = (line: number, subject: string): Diagnostic =>
  error('yaml_unsupported', `${subject} uses an alias, an anchor, a tag, or a complex key`, {
    line,
    hint: 'quote the text, or write it in full',
  })

const offsetOf = (node: Node | null): number => node?.range?.[0] ?? 0

function literal(node: Node | null): { text: string | null; plain: boolean } {
  if (!isScalar(node)) return { text: null, plain: false }
  const plain = node.type === 'PLAIN'
  if (typeof node.value === 'string') return { text: node.value, plain }
  return { text: node.source ?? String(node.value), plain }
}

function keyText(key: Node): string | undefined {
  if (!isScalar(key) || key.tag !== undefined || key.anchor !== undefined) return undefined
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
}

/** Converted node, or the position of a duplicate key or of excessive nesting. */
type Converted = { value: Plain } | { fault: 'twice' | 'deep'; at: number }

/**
 * Converts a YAML node to plain data; undefined if it has an alias, anchor, tag, or complex key.
 */
function convert(node: Node | null, depth: number): Converted | undefined {
  if (node === null) return { value: null }
  if (isAlias(node)) return undefined
  if (depth > DEPTH) return { fault: 'deep', at: offsetOf(node) }
  if ('anchor' in node && node.anchor !== undefined) return undefined
  if (isScalar(node)) {
    if (node.tag !== undefined) return undefined
    return { value: scalar(node.value) }
  }
  if (isSeq(node)) {
    const list: Plain[] = []
    for (const item of node.items) {
      const value = convert(item as Node | null, depth + 1)
      if (value === undefined || 'fault' in value) return value
      list.push(value.value)
    }
    return tagged(node) ? undefined : { value: list }
  }
  if (!isMap(node) || tagged(node)) return undefined
  const map: { [key: string]: Plain } = Object.create(null)
  for (const pair of node.items) {
    const key = keyText(pair.key as Node)
    const value = convert(pair.value as Node | null, depth + 1)
    if (key === undefined || value === undefined) return undefined
    if ('fault' in value) return value
    if (key in map) return { fault: 'twice', at: offsetOf(pair.key as Node) }
    map[key] = value.value
  }
  return { value: map }
}

/**
 * Whether the file sets a tag on the node. Collections have a default tag; any other tag is
 * explicit.
 */
const tagged = (node: Node): boolean => {
  const tag = (node as { tag?: string }).tag
  return tag !== undefined && tag !== 'tag:yaml.org,2002:seq' && tag !== 'tag:yaml.org,2002:map'
}

function scalar(value: unknown): Plain {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  return String(value)
}

const HINTS: Readonly<Record<string, readonly [code: string, hint: string]>> = {
  TAB_AS_INDENT: ['yaml_tab', 'use spaces for indentation'],
  DUPLICATE_KEY: ['duplicate_key', 'keep only one of the two lines'],
  MULTIPLE_DOCS: ['yaml_documents', 'remove the line that starts another document'],
  TAG_RESOLVE_FAILED: ['yaml_tag', 'write the value without a tag'],
}

function explain(code: string, message: string, line: number): Diagnostic {
  const entry = HINTS[code]
  if (entry !== undefined) return error(entry[0], message, { line, hint: entry[1] })
  if (message.includes('tab')) {
    return error('yaml_tab', message, { line, hint: 'use spaces for indentation' })
  }
  return error('yaml_invalid', message, { line })
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
