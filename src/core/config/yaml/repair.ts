/**
 * Mends common YAML mistakes: an unquoted `: ` in a description (E1), `tools: *` (E2), prose that
 * begins with a bracket (E3), an at sign or a backtick (E4). Such a line is read as if its value
 * were quoted; the file's bytes stay as they are and the finding shows the line to write. Only
 * one-line values at the top level that do not parse alone are touched.
 */

import { error, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { Head, HeadEntry } from './head.ts'
import { parseYaml } from './parse.ts'

export type Recovered =
  | { readonly ok: true; readonly head: Head; readonly found: readonly Diagnostic[] }
  | { readonly ok: false; readonly found: readonly Diagnostic[] }

/** On a line without blanks at its end. */
const LINE = /^([A-Za-z_][\w.-]*):[ \t]+(\S.*)$/
/** Front matter that needs more guesses was not meant as such. */
const REQUOTED = 50
/** YAML never takes a plain value with a colon in it, unless the colon is part of a comment. */
const UNQUOTED_COLON = 'an unquoted colon'
/** Turns of a dialogue: after re-quoting they mean that a value spans several lines. */
const TURN = /^(?:user|assistant|commentary|example)$/i

/** `text` is the block between the fences; its first line is line `firstLine` of the file. */
export function recover(text: string, firstLine: number, first: Diagnostic): Recovered {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const findings: Diagnostic[] = []
  for (const [index, line] of lines.entries()) {
    const requoted = requote(line, lines[index + 1], text)
    if (requoted === undefined) continue
    if (findings.length >= REQUOTED)
      return { ok: false, found: [explained(first, text, firstLine)] }
    lines[index] = requoted.line
    findings.push(
      warning(
        'value_requoted',
        `the value of \`${requoted.key}\` is not valid YAML (${requoted.why})`,
        {
          line: firstLine + index,
          hint: requoted.line,
        },
      ),
    )
  }
  if (findings.length === 0) return { ok: false, found: [explained(first, text, firstLine)] }
  const reparsed = parseYaml(lines.join('\n'), firstLine)
  if (!reparsed.ok) return { ok: false, found: [explained(reparsed.error, text, firstLine)] }
  const turn = dialogueIn(reparsed.head)
  if (turn !== undefined) return { ok: false, found: [severalLines(turn.line)] }
  return { ok: true, head: reparsed.head, found: findings }
}

/**
 * The first turn of a dialogue in a head. Heads have such keys of their own (`user: alice`,
 * `context: fork`): a turn is a sentence, or there are two of them. `context` alone is never one.
 */
function dialogueIn(head: Head): HeadEntry | undefined {
  const turns = [...head].filter(([key, { text }]) => TURN.test(key) && text !== null)
  const isDialogue = turns.length > 1 || turns.some(([, { text }]) => /\S\s+\S/.test(text ?? ''))
  return isDialogue ? turns[0]?.[1] : undefined
}

function requote(
  line: string,
  next: string | undefined,
  block: string,
): { line: string; key: string; why: string } | undefined {
  const match = LINE.exec(line.trimEnd())
  if (match === null) return undefined
  const [, key = '', value = ''] = match
  const cause = reason(value, block)
  if (cause === undefined || continues(next)) return undefined
  // An unclosed list of tools is no prose: guessing at it could grant too much.
  if (/tools$/i.test(key) && /^[[{]/.test(value)) return undefined
  const certain = cause === UNQUOTED_COLON && !value.includes('#')
  if (!certain && parseYaml(`${key}: ${value}`).ok) return undefined
  return { line: `${key}: '${value.replaceAll("'", "''")}'`, key, why: cause }
}

function reason(value: string, block: string): string | undefined {
  // Quotes, block scalars, anchors, tags and comments mean something on purpose.
  if (/^["'|>&!#%]/.test(value)) return undefined
  if (/^[@`]/.test(value)) return `starts with ${value[0]}`
  // Where anchors are used, a star is an alias on purpose.
  if (value.startsWith('*')) return /(?:^|\s)&\S/.test(block) ? undefined : 'starts with *'
  if (/^[[{]/.test(value)) return `text that starts with ${value[0]}`
  if (/:\s/.test(value) || value.endsWith(':')) return UNQUOTED_COLON
  return undefined
}

/** An indented line below belongs to the value: then it is not a one-line value. */
const continues = (next: string | undefined): boolean =>
  next !== undefined && /^[ \t]+\S/.test(next)

const severalLines = (line: number): Diagnostic =>
  error('value_several_lines', 'a value continues over several lines that are not indented', {
    line,
    hint: 'use `description: |` and indent the lines below it',
  })

/**
 * The line to write instead of one whose value should have been quoted, or was quoted wrongly:
 * `"He said "yes""`. Nothing is guessed about lists, blocks and names of tools.
 */
function quotedLine(line: string | undefined): string | undefined {
  const match = LINE.exec(line?.trimEnd() ?? '')
  if (match === null) return undefined
  const [, key = '', value = ''] = match
  if (/tools$/i.test(key) || /^[[{&!*#]/.test(value) || parseYaml(`${key}: ${value}`).ok) {
    return undefined
  }
  const inner = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value
  return `${key}: '${inner.replaceAll("'", "''")}'`
}

/** A better sentence for lines at the left edge that are no `key: value`. */
function explained(finding: Diagnostic, text: string, firstLine: number): Diagnostic {
  if (finding.code !== 'yaml_invalid') return finding
  const quotedHint = quotedLine(text.split('\n')[(finding.line ?? firstLine) - firstLine])
  if (quotedHint !== undefined) return { ...finding, hint: quotedHint }
  const loose = text
    .split('\n')
    .some((line) => /^\S/.test(line) && !/^(?:[\w"'.-][^:]*:(?:\s|$)|#|-(?:\s|$)|[\]}])/.test(line))
  if (!loose)
    return finding.hint === null ? { ...finding, hint: 'put the value in quotes' } : finding
  return { ...severalLines(finding.line ?? 1), line: finding.line }
}
