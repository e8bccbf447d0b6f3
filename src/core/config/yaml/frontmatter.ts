/**
 * Splits a Markdown file into its YAML front matter and its body. The first line (after a BOM) must
 * be exactly `---`, because gray-matter would treat a word after it as a language and execute the
 * block. Fences and limits are therefore checked here. gray-matter only splits the text, with every
 * engine except YAML disabled. Options are always passed, because calls without them are cached by
 * text.
 */

import matter from 'gray-matter'
import { byteLength } from '../../../lib/bytes.ts'
import { LIMITS } from '../../limits.ts'
import { error, note, warning } from '../diagnostic.ts'
import { MARK_HINT, MARK_INSIDE, markInside, nulFault } from '../encoding.ts'
import type { Diagnostic } from '../types.ts'
import type { Head } from './head.ts'
import { parseSimply, parseYaml, tooLarge, type YamlResult } from './parse.ts'
import { recover } from './repair.ts'

export type FrontMatter =
  | {
      readonly kind: 'parsed'
      readonly head: Head
      /** Body of the file: everything after the closing fence line, byte for byte. */
      readonly body: string
      readonly found: readonly Diagnostic[]
    }
  /**
   * Result for a file that does not start with a front matter fence and may be a plain document.
   */
  | { readonly kind: 'absent'; readonly found: readonly Diagnostic[] }
  | { readonly kind: 'broken'; readonly found: readonly Diagnostic[] }

const BOM = '\uFEFF'
const CLOSED = /^---[ \t]*\r?$/
const CONFLICT = /^(?:<{7}|={7}|>{7})(?:[ \t]|\r?$)/m

export function frontMatter(source: string): FrontMatter {
  const findings: Diagnostic[] = []
  const nul = nulFault(source)
  if (nul !== undefined) return brokenMatter(nul)
  let text = source
  if (text.startsWith(BOM)) {
    text = text.slice(1)
    findings.push(note('bom', 'the file starts with a byte order mark'))
  }
  const mark = text.startsWith(BOM) ? { line: 1, at: 0 } : markInside(text)
  const opening = openingFault(text)
  if (opening !== undefined)
    return mark && hidesFence(text) ? brokenMatter(markFault(mark)) : opening
  const close = text.indexOf('\n---')
  const fault = closingFault(text, close)
  if (fault !== undefined) return brokenMatter(fault)

  const lineEnd = text.indexOf('\n', close + 1)
  const bodyStart = lineEnd === -1 ? text.length : lineEnd + 1
  if (mark) findings.push(mark.at < bodyStart ? markFault(mark) : markFinding(warning, mark))
  const block = text.slice(text.indexOf('\n') + 1, close + 1)
  if (/\r/.test(block)) findings.push(note('carriage_returns', 'lines end with CRLF'))
  const conflict = CONFLICT.exec(block)
  if (conflict !== null) {
    return brokenMatter(
      error('conflict_marker', 'the front matter contains a merge conflict', {
        line: 2 + block.slice(0, conflict.index).split('\n').length - 1,
        hint: 'resolve the conflict and remove its markers',
      }),
    )
  }
  const parsed = headOf(block.replace(/\r?\n$/, ''), text.slice(0, bodyStart))
  if (parsed.ok) {
    return { kind: 'parsed', head: parsed.head, body: text.slice(bodyStart), found: findings }
  }
  if (mark && mark.at < bodyStart) return brokenMatter(markFault(mark))
  if (!parsed.recoverable) return brokenMatter(parsed.error)
  const recovered = recover(block, 2, parsed.error)
  if (!recovered.ok) return { kind: 'broken', found: recovered.found }
  const all = [...findings, ...recovered.found]
  return { kind: 'parsed', head: recovered.head, body: text.slice(bodyStart), found: all }
}

/** Returns the line of the file on which the body starts. */
export const firstLineOf = (text: string, body: string): number =>
  text.slice(0, text.length - body.length).split('\n').length

interface Mark {
  readonly line: number
}
const markFinding = (make: typeof error, { line }: Mark): Diagnostic =>
  make('bom_inside', MARK_INSIDE, { line, hint: MARK_HINT })
const markFault = (mark: Mark): Diagnostic => markFinding(error, mark)

/** Whether a front matter fence appears once leading byte order marks are removed. */
const hidesFence = (text: string): boolean =>
  /^\s*---[ \t]*\r?\n/.test(text.slice(0, 1_024).replaceAll(BOM, ''))

const brokenMatter = (finding: Diagnostic): FrontMatter => ({ kind: 'broken', found: [finding] })

/**
 * Parses front matter. Most front matter needs neither gray-matter nor the full parser, and
 * oversized input reaches neither.
 */
const headOf = (block: string, headText: string): YamlResult =>
  parseSimply(block, 2) ?? (tooLarge(block) === undefined ? split(headText) : parseYaml(block, 2))

/**
 * Splits a file at its fences with gray-matter; the block goes to the YAML engine, the only allowed
 * one.
 */
function split(headText: string): YamlResult {
  let result: YamlResult = { ok: true, head: new Map() }
  const refuse = () => {
    throw new Error('only YAML is supported')
  }
  matter(headText, {
    language: 'yaml',
    engines: {
      yaml: {
        parse: (block: string) => {
          // The block starts after the opening fence, so its first line is the file's first line.
          // In a file with CR LF, the CR of the block's last line remains here.
          result = parseYaml(block.replace(/\r$/, ''), 1)
          return {}
        },
        stringify: refuse,
      },
      json: { parse: refuse, stringify: refuse },
      javascript: { parse: refuse, stringify: refuse },
      js: { parse: refuse, stringify: refuse },
    },
  })
  return result
}

function openingFault(text: string): FrontMatter | undefined {
  const end = text.indexOf('\n')
  const first = (end === -1 ? text : text.slice(0, end)).replace(/\r$/, '')
  if (/^---[ \t]*$/.test(first)) return undefined
  const word = /^---[ \t]*([^-\s].*)$/.exec(first)
  if (word !== null) {
    return brokenMatter(
      error(
        'unsupported_language',
        `front matter in \`${word[1]?.slice(0, 40).trim()}\` is not supported`,
        {
          line: 1,
          hint: '---',
        },
      ),
    )
  }
  const later = textBefore(text)
  if (later !== undefined) {
    return brokenMatter(
      error('text_before_frontmatter', 'text precedes the opening `---`', {
        line: later,
        hint: 'move `---` to the first line',
      }),
    )
  }
  return { kind: 'absent', found: [] }
}

/**
 * Returns the line of a misplaced opening fence if one of the first lines of the file contains it.
 */
function textBefore(text: string): number | undefined {
  const lines = text.slice(0, 8_192).split('\n', 40)
  const at = lines.findIndex((line) => /^---\s*$/.test(line))
  if (at === -1) return undefined
  const next = lines.slice(at + 1, at + 8).some((line) => /^(?:name|description)\s*:/.test(line))
  return next ? at + 1 : undefined
}

function closingFault(text: string, close: number): Diagnostic | undefined {
  const limit = LIMITS.front_matter_bytes
  const size = close === -1 ? text.length : close
  if (close !== -1 && (size > limit || byteLength(text.slice(0, close)) > limit)) {
    return error('frontmatter_too_large', `the front matter is larger than ${limit} bytes`, {
      line: 1,
    })
  }
  const lineEnd = text.indexOf('\n', close + 1)
  const line = close === -1 ? '' : text.slice(close + 1, lineEnd === -1 ? undefined : lineEnd)
  if (close !== -1 && CLOSED.test(line)) return undefined
  const indented = /^[ \t]+---[ \t]*\r?$/m.exec(text.slice(0, limit))
  const at = close !== -1 ? close + 1 : indented?.index
  return error('frontmatter_unclosed', 'the front matter has no closing line `---`', {
    line: at === undefined ? 1 : text.slice(0, at).split('\n').length,
    hint: '---',
  })
}
