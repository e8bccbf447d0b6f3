/**
 * Extracts JSON from an answer that contains other text. Models reason first, use a fence, or write
 * "Here it is:", and a retry would cost another model call.
 */

import { canonical } from '../../../lib/digest.ts'
import type { JsonBounds } from '../../../lib/json.ts'
import { readJson } from '../../../lib/json.ts'
import { LIMITS } from '../../limits.ts'

const ANSWER: JsonBounds = { depth: LIMITS.json_depth, values: LIMITS.json_values }

/** Result of parsing an answer: a single JSON value, or text that contains JSON values. */
export type FoundJson =
  | { readonly whole: unknown }
  | { readonly within: readonly unknown[]; readonly why: string }

/**
 * Returns the JSON value of an answer, or the distinct values within its text; values in fences
 * take precedence.
 */
export function findJson(text: string): FoundJson {
  const visibleText = withoutThoughts(text)
  const first = readJson(fenced(text) ?? text, ANSWER)
  if (first.ok) return { whole: first.value }
  const second = readJson(fenced(visibleText) ?? visibleText, ANSWER)
  if (second.ok) return { whole: second.value }
  const inFences = different(fencesIn(visibleText).slice(0, BEGINNINGS).flatMap(valuesIn))
  const within = inFences.length > 0 ? inFences : different(bracketed(visibleText))
  return { within, why: first.error.message }
}

/** Returns the content of a code fence if the answer consists of that fence alone. */
function fenced(text: string): string | undefined {
  const trimmed = text.trim()
  const [first] = trimmed.split('\n', 1)
  const last = trimmed.lastIndexOf('\n')
  if (first === undefined || !/^```(?:json)?\s*$/.test(first) || last < first.length)
    return undefined
  return trimmed.slice(last + 1).trim() === '```'
    ? trimmed.slice(first.length + 1, last)
    : undefined
}

const THOUGHT = /<(\/?)(?:think|thinking|thought|reasoning)>/gi

/** Removes the text between thinking tags; a lone closing tag removes everything before it. */
function withoutThoughts(text: string): string {
  let outside = ''
  let from = 0
  let opened: number | undefined
  for (const { 0: tag, 1: slash, index } of text.matchAll(THOUGHT)) {
    if (slash === '') {
      opened ??= index
      continue
    }
    outside = opened === undefined ? '' : outside + text.slice(from, opened)
    from = index + tag.length
    opened = undefined
  }
  return outside + text.slice(from)
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*(?:[\w-]+[ \t]*)?$/

/** Returns the contents of the code fences; an unclosed fence extends to the end of the text. */
function fencesIn(text: string): string[] {
  const blocks: string[] = []
  let open: { readonly fence: string; readonly lines: string[] } | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, fence] = FENCE.exec(line) ?? []
    if (open === undefined) {
      if (fence !== undefined) open = { fence, lines: [] }
    } else if (fence?.startsWith(open.fence)) {
      blocks.push(open.lines.join('\n'))
      open = undefined
    } else open.lines.push(line)
  }
  return open === undefined ? blocks : [...blocks, open.lines.join('\n')]
}

const valuesIn = (text: string): unknown[] => {
  const read = readJson(text, ANSWER)
  return read.ok ? [read.value] : []
}

/**
 * Maximum number of fences, and of brackets, at which parsing is tried. Prose has few of them, and
 * each costs a scan of the text.
 */
const BEGINNINGS = 32

/** Returns the outermost JSON objects and lists in a text. */
function bracketed(text: string): unknown[] {
  const results: unknown[] = []
  let at = 0
  for (let tries = 0; tries < BEGINNINGS; tries += 1) {
    const offset = text.slice(at).search(/[{[]/)
    if (offset < 0) break
    const begin = at + offset
    const end = closing(text, begin)
    const values = end === undefined ? [] : valuesIn(text.slice(begin, end))
    results.push(...values)
    at = values.length > 0 ? end! : begin + 1
  }
  return results
}

/** Returns the position after the bracket that closes the bracket at `begin`. */
function closing(text: string, begin: number): number | undefined {
  let depth = 0
  let isQuoted = false
  for (let at = begin; at < text.length; at += 1) {
    const char = text[at]
    if (isQuoted) {
      if (char === '\\') at += 1
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

const different = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [canonical(value), value])).values(),
]
