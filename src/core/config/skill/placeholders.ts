/**
 * Placeholders that other programs fill before a model reads a file: arguments of a command, the
 * folder of a skill, results of commands. Arguments, folders and the session are filled in skills;
 * the others stand as they are, and are named to the author and to the model.
 *
 *     Claude Code   $ARGUMENTS $ARGUMENTS[0] $0 $1 $name ${CLAUDE_SKILL_DIR} ${user_config.key}
 *                   !`command` @file
 *                   https://code.claude.com/docs/en/skills (read 2026-11)
 *     OpenCode      $ARGUMENTS $1 !`command` @file · Codex $ARGUMENTS $1
 *     Gemini CLI    {{args}} !{command} @{file} · OpenClaw {baseDir} · VS Code ${input:x} #file:x
 */

import { LIMITS } from '../../limits.ts'
import { warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'

export interface Filling {
  /** The words behind the skill's name. */
  readonly args: string
  /** The skill's folder, as the file tools take it. Absent: the reader has no file tools. */
  readonly folder?: string
  readonly session?: string
  /** Names of the words, in their order: `$issue` is a placeholder. */
  readonly names?: readonly string[]
}
export interface FilledText {
  readonly text: string
  /** Whether the arguments have a place in the text. */
  readonly takesArguments: boolean
  /** Names of arguments that have a place in the text and were not given. */
  readonly missing: readonly string[]
  /** Placeholders that stand as they were, each once, with the line of the first. */
  readonly left: readonly string[]
  readonly line: number | null
}

const FOLDER = 'CLAUDE_SKILL_DIR|SKILL_DIR'
const PLACES = [
  String.raw`\$(?:ARGUMENTS|\{ARGUMENTS\})(?:\[(?<index>\d{1,2})\]|(?!\w))`,
  String.raw`(?<args>\{\{\s*(?:args|ARGS|arguments|ARGUMENTS)\s*\}\})`,
  String.raw`(?<folder>\$(?:\{(?:${FOLDER})\}|(?:${FOLDER})(?!\w))|\{?\{\s*(?:baseDir|SKILL_DIR)\s*\}\}?)`,
  String.raw`(?<plugin>\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT(?!\w))(?=/skills/))`,
  String.raw`(?<project>\$(?:\{CLAUDE_PROJECT_DIR\}|CLAUDE_PROJECT_DIR(?!\w)|\{workspaceFolder\}))`,
  String.raw`(?<session>\$\{CLAUDE_SESSION_ID\})`,
  String.raw`(?<word>\$\d(?![\w$]|[,.]\d|\s?(?:million|billion|thousand|per\b|USD|/)))`,
  String.raw`(?<unknown>\$\{?CLAUDE_[A-Z_]+\}?|\$\{(?:input:[\w:]+|user_config\.[\w.-]+|file|selection|selectedText)\})`,
  String.raw`(?<command>!\x60[^\x60\n]{1,400}\x60|!\{[^}\n]{1,400}\}|^\s*\x60\x60\x60!)`,
  String.raw`(?<file>(?<=^|\s)(?:@\{[^}\n]{1,400}\}|#file:\S{1,400}|@(?:~|\.{1,2})?/?[\w./-]{1,400}\.(?:md|mdc|txt|json|jsonc|ya?ml|toml|[cm]?[jt]sx?|py|go|rs|java|rb|sh|css|html|csv|xml|sql)\b))`,
]
const PLACE = new RegExp(PLACES.join('|'), 'g')

/** With names of arguments, the longest first: one may begin another. */
function placesWith(names: readonly string[]): RegExp {
  const sortedNames = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length)
  if (sortedNames.length === 0) return PLACE
  const namedPattern = String.raw`\$(?<named>${sortedNames.join('|')})(?![\w-])`
  return new RegExp([namedPattern, ...PLACES].join('|'), 'g')
}
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/
/** So many are named, and no longer than this. */
const MAX_NAMED = 8
const NAMED_LENGTH = 80

type Place = Partial<Record<string, string>>
/** The value of a placeholder; undefined: it stays as it is. */
type Value = (place: Place) => string | undefined

/** The instructions of a skill with what can be filled. */
export function fillSkill(
  text: string,
  { args, folder, session, names = [] }: Filling,
): FilledText {
  const words = wordsOf(args)
  // `$0` is the first argument where it stands, or where arguments have names; else `$1` is.
  const first = names.length > 0 || /(?<![\w\\])\$0(?!\w)/.test(text) ? 0 : 1
  const missing = new Set<string>()
  const result = fill(text, placesWith(names), (place) => {
    if (place.named !== undefined) {
      const word = words[names.indexOf(place.named)]
      if (word === undefined) missing.add(place.named)
      return word ?? ''
    }
    if (isArguments(place)) {
      return place.index === undefined ? args : (words[Number(place.index)] ?? '')
    }
    if (place.folder) return folder
    if (place.plugin) return folder?.replace(/\/[^/]+\/[^/]+$/, '')
    if (place.project) return '.'
    if (place.session) return session
    return place.word ? words[Number(place.word.slice(1)) - first] : undefined
  })
  return { ...result, missing: [...missing] }
}

/** The note for the model about placeholders; undefined: there is none. */
export function fillingNote(
  { left: unfilled, missing, takesArguments }: FilledText,
  args: string,
): string | undefined {
  const notes = [
    ...(takesArguments && args === '' ? ['It was opened without arguments.'] : []),
    ...(args !== '' && missing.length > 0 ? [`Missing arguments: ${joinNames(missing)}.`] : []),
    ...(unfilled.length > 0
      ? [
          `Not filled in: ${joinNames(unfilled)}. No command was run and no file was read for it; use ` +
            'your tools where it matters.',
        ]
      : []),
  ]
  return notes.length === 0 ? undefined : `[${notes.join(' ')}]`
}

export const UNFILLED = 'placeholder_unfilled'

/** The finding about a text in which placeholders stay; `firstLine`: of the text in its file. */
export function placeholderFindings(
  text: string,
  firstLine: number,
  kind: 'skill' | 'agent' | 'schedule',
): Diagnostic[] {
  const isFilled = (place: Place): boolean =>
    kind === 'skill' && !place.command && !place.file && !place.unknown
  const { left: unfilled, line } = fill(text, PLACE, (place) => {
    // In a prompt without arguments a `$1` is a price or a group of an expression.
    return isFilled(place) || place.word ? '' : undefined
  })
  if (unfilled.length === 0) return []
  const message = `placeholders that are not filled in: ${joinNames(unfilled)}`
  const hint =
    kind === 'skill'
      ? 'say which tool the model should use instead'
      : 'replace them with text, or make the file a skill, which takes arguments'
  return [warning(UNFILLED, message, { line: firstLine + (line ?? 1) - 1, hint })]
}

const isArguments = (place: Place): boolean =>
  place.args !== undefined || /^\$\{?ARGUMENTS/.test(place[''] ?? '')

/** Fills placeholders in a single pass: what is filled in is not read again. */
function fill(text: string, places: RegExp, value: Value): Omit<FilledText, 'missing'> {
  const unfilled = new Map<string, number>()
  const ownFolder = /^[ \t]*(?:export )?SKILL_DIR=/m.test(text)
  let takesArguments = false
  let room = LIMITS.file_body_bytes
  let isFenced = false
  const lines = text.split('\n').map((line, index) => {
    const opens = FENCE.test(line)
    const isCode = isFenced || opens
    if (opens) isFenced = !isFenced
    if (!/[$!@#{]/.test(line)) return line
    const spanAt = spansOf(line)
    return line.replace(places, (match, ...groups) => {
      const at = groups.at(-3) as number
      const place: Place = { ...(groups.at(-1) as Place), '': match }
      const span = spanAt(at)
      if (!isPlace(place, { before: line.slice(Math.max(0, at - 1), at), isCode, span }))
        return match
      if (ownFolder && /^\$\{?SKILL_DIR/.test(match)) return match
      const replacement = value(place)
      // In code it is probably a variable of the code.
      if (place.word && replacement === undefined && span !== undefined) return match
      if (isArguments(place) || place.named) takesArguments = true
      if (place.word && replacement !== undefined) takesArguments = true
      // Many places and long arguments multiply.
      if (replacement !== undefined && replacement.length <= room) {
        room -= replacement.length
        return replacement
      }
      const name = match.trim().slice(0, NAMED_LENGTH)
      if (!unfilled.has(name)) unfilled.set(name, index + 1)
      return match
    })
  })
  const [line = null] = unfilled.values()
  return { text: lines.join('\n'), takesArguments, left: [...unfilled.keys()], line }
}

interface Around {
  /** The character in front, if any. */
  readonly before: string
  /** Within a fenced block. */
  readonly isCode: boolean
  /** The code between backticks around it, if any. */
  readonly span: string | undefined
}

/** Code has dollars and at signs of its own, and a backslash says that none is meant. */
function isPlace(place: Place, { before: preceding, isCode, span }: Around): boolean {
  if (preceding === '\\') return false
  if (place.word) return !isCode && !/[\w$]/.test(preceding) && !/[{|]/.test(span ?? '')
  if (place.file) return !isCode && span === undefined
  if (place.command?.includes('```')) return true
  return !place.command || (!isCode && !/[\w`!]/.test(preceding))
}

/** Returns the code between backticks around a place; asked from the left to the right. */
function spansOf(line: string): (at: number) => string | undefined {
  const spans = line.matchAll(/`[^`]*`/g)
  let span = spans.next().value
  return (at) => {
    while (span && span.index + span[0].length <= at) span = spans.next().value
    return span && span.index <= at ? span[0] : undefined
  }
}

/** As a shell splits them: blanks separate, quotes hold together. */
const wordsOf = (args: string): string[] =>
  [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')

/** The first of them, for a sentence. */
export function joinNames(names: readonly string[]): string {
  const listing = names.slice(0, MAX_NAMED).join(', ')
  return names.length > MAX_NAMED ? `${listing}, and ${names.length - MAX_NAMED} more` : listing
}
