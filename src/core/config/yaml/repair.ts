/**
 * Recovers from common YAML mistakes: an unquoted `: ` in a description (E1), `tools: *` (E2),
 * prose that starts with a bracket (E3), an at sign or a backtick (E4). The line is parsed as if
 * its value were quoted. The file stays unchanged, and the finding shows the corrected line. Only
 * single-line top-level values that are invalid by themselves are affected.
 */

import { error, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { Head, HeadEntry } from './head.ts'
import { parseYaml } from './parse.ts'

export type Recovered =
  | { readonly ok: true; readonly head: Head; readonly found: readonly Diagnostic[] }
  | { readonly ok: false; readonly found: readonly Diagnostic[] }

/** Matches a line with a key and a value, without trailing spaces. */
const LINE = /^([A-Za-z_][\w.-]*):[ \t]+(\S.*)$/
/**
 * Maximum number of requoted lines; text that needs more was probably not meant to be front matter.
 */
const REQUOTED = 50
/**
 * Reason for requoting: YAML rejects a plain value with a colon, unless the colon is in a comment.
 */
const UNQUOTED_COLON = 'an unquoted colon'
/**
 * Matches speaker names of a dialogue. After requoting, they indicate a value that spans several
 * lines.
 */
const TURN = /^(?:user|assistant|commentary|example)$/i

/**
 * Recovers a front matter block; `text` is the text between the fences and starts at line
 * `firstLine` of the file.
 */
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
 * Returns the first line of a dialogue in front matter. Some speaker names are also legitimate keys
 * (`user: alice`, `context: fork`), so the value must be a sentence or the key must occur twice.
 * `context` alone never counts.
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
  // An unclosed tool list is not prose, and a guess could grant too much.
  if (/tools$/i.test(key) && /^[[{]/.test(value)) return undefined
  const certain = cause === UNQUOTED_COLON && !value.includes('#')
  if (!certain && parseYaml(`${key}: ${value}`).ok) return undefined
  return { line: `${key}: '${value.replaceAll("'", "''")}'`, key, why: cause }
}

function reason(value: string, block: string): string | undefined {
  // Quotes, block scalars, anchors, tags, and comments are intentional.
  if (/^["'|>&!#%]/.test(value)) return undefined
  if (/^[@`]/.test(value)) return `starts with ${value[0]}`
  // In a block with anchors, a star is an intentional alias.
  if (value.startsWith('*')) return /(?:^|\s)&\S/.test(block) ? undefined : 'starts with *'
  if (/^[[{]/.test(value)) return `text that starts with ${value[0]}`
  if (/:\s/.test(value) || value.endsWith(':')) return UNQUOTED_COLON
  return undefined
}

/** Whether the next line is indented, so that it continues a value that spans several lines. */
const continues = (next: string | undefined): boolean =>
  next !== undefined && /^[ \t]+\S/.test(next)

const severalLines = (line: number): Diagnostic =>
  error('value_several_lines', 'a value continues on lines that are not indented', {
    line,
    hint: 'use `description: |` and indent the lines below it',
  })

/**
 * Returns a corrected line for a value with missing or wrong quotes, such as `"He said "yes""`.
 * Lists, blocks, and tool names are never guessed.
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

/** Returns a clearer finding for unindented lines that are not `key: value`. */
function explained(finding: Diagnostic, text: string, firstLine: number): Diagnostic {
  if (finding.code !== 'yaml_invalid') return finding
  const quotedHint = quotedLine(text.split('\n')[(finding.line ?? firstLine) - firstLine])
  if (quotedHint !== undefined) return { ...finding, hint: quotedHint }
  const loose = text
    .split('\n')
    .some((line) => /^\S/.test(line) && !/^(?:[\w"'.-][^:]*:(?:\s|$)|#|-(?:\s|$)|[\]}])/.test(line))
  if (!loose) return finding.hint === null ? { ...finding, hint: 'quote the value' } : finding
  return { ...severalLines(finding.line ?? 1), line: finding.line }
}
