/**
 * Placeholders that other products fill before a model reads a file: command arguments, the skill's
 * folder, and command output. In skills, arguments, folders, and the session are filled. All other
 * placeholders stay unchanged and are reported to the author and to the model.
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
  /** Arguments that the user typed after the skill's name. */
  readonly args: string
  /**
   * Path of the skill's folder as the file tools accept it; absent if the run has no file tools.
   */
  readonly folder?: string
  readonly session?: string
  /** Argument names, in positional order; each name is a placeholder, such as `$issue`. */
  readonly names?: readonly string[]
}
export interface FilledText {
  readonly text: string
  /** Whether the skill's text contains placeholders for arguments. */
  readonly takesArguments: boolean
  /** Names of arguments that the skill's text uses but the caller did not pass. */
  readonly missing: readonly string[]
  /** Unfilled placeholders, each listed once; `line` is the line of the first placeholder. */
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

/**
 * Returns a pattern for placeholders, including argument names. Longer names come first, because a
 * name may be a prefix of another.
 */
function placesWith(names: readonly string[]): RegExp {
  const sortedNames = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length)
  if (sortedNames.length === 0) return PLACE
  const namedPattern = String.raw`\$(?<named>${sortedNames.join('|')})(?![\w-])`
  return new RegExp([namedPattern, ...PLACES].join('|'), 'g')
}
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/
/**
 * Maximum number of placeholders that a message names; `NAMED_LENGTH` limits the length of each.
 */
const MAX_NAMED = 8
const NAMED_LENGTH = 80

type Place = Partial<Record<string, string>>
/**
 * Function that returns the value of a placeholder, or undefined to leave the placeholder
 * unchanged.
 */
type Value = (place: Place) => string | undefined

/** Fills those placeholders in a skill's instructions that have a value. */
export function fillSkill(
  text: string,
  { args, folder, session, names = [] }: Filling,
): FilledText {
  const words = wordsOf(args)
  // `$0` is the first argument if the text contains `$0` or if arguments have names; otherwise `$1`
  // is the first.
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

/** Returns a note for the model about a skill's placeholders, or undefined if none is needed. */
export function fillingNote(
  { left: unfilled, missing, takesArguments }: FilledText,
  args: string,
): string | undefined {
  const notes = [
    ...(takesArguments && args === '' ? ['The skill was opened without arguments.'] : []),
    ...(args !== '' && missing.length > 0 ? [`Missing arguments: ${joinNames(missing)}.`] : []),
    ...(unfilled.length > 0
      ? [
          `Unfilled: ${joinNames(unfilled)}. No command was run and no file was read for them; ` +
            'use your tools if needed.',
        ]
      : []),
  ]
  return notes.length === 0 ? undefined : `[${notes.join(' ')}]`
}

export const UNFILLED = 'placeholder_unfilled'

/**
 * Returns findings about unfilled placeholders; `firstLine` is the line of the file on which the
 * text starts.
 */
export function placeholderFindings(
  text: string,
  firstLine: number,
  kind: 'skill' | 'agent' | 'schedule',
): Diagnostic[] {
  const isFilled = (place: Place): boolean =>
    kind === 'skill' && !place.command && !place.file && !place.unknown
  const { left: unfilled, line } = fill(text, PLACE, (place) => {
    // In a prompt without arguments, `$1` is probably a price or a capture group.
    return isFilled(place) || place.word ? '' : undefined
  })
  if (unfilled.length === 0) return []
  const message = `unfilled placeholders: ${joinNames(unfilled)}`
  const hint =
    kind === 'skill'
      ? 'name the tool that the model should use instead'
      : 'replace them with text, or convert the file to a skill, which accepts arguments'
  return [warning(UNFILLED, message, { line: firstLine + (line ?? 1) - 1, hint })]
}

const isArguments = (place: Place): boolean =>
  place.args !== undefined || /^\$\{?ARGUMENTS/.test(place[''] ?? '')

/**
 * Fills placeholders in a single pass, so that placeholders in inserted values are not expanded.
 */
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
      // A word placeholder in a code span is probably a variable.
      if (place.word && replacement === undefined && span !== undefined) return match
      if (isArguments(place) || place.named) takesArguments = true
      if (place.word && replacement !== undefined) takesArguments = true
      // The total size of inserted values is limited, because many placeholders multiply long
      // arguments.
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
  /** Character before the match, if any. */
  readonly before: string
  /** Whether the match is within a fenced code block. */
  readonly isCode: boolean
  /** Code span around the match, if any. */
  readonly span: string | undefined
}

/**
 * Whether a match is a placeholder. Code uses dollar and at signs for other purposes, and a
 * backslash escapes a placeholder.
 */
function isPlace(place: Place, { before: preceding, isCode, span }: Around): boolean {
  if (preceding === '\\') return false
  if (place.word) return !isCode && !/[\w$]/.test(preceding) && !/[{|]/.test(span ?? '')
  if (place.file) return !isCode && span === undefined
  if (place.command?.includes('```')) return true
  return !place.command || (!isCode && !/[\w`!]/.test(preceding))
}

/**
 * Returns a function that finds the code span around a position; positions must be queried from
 * left to right.
 */
function spansOf(line: string): (at: number) => string | undefined {
  const spans = line.matchAll(/`[^`]*`/g)
  let span = spans.next().value
  return (at) => {
    while (span && span.index + span[0].length <= at) span = spans.next().value
    return span && span.index <= at ? span[0] : undefined
  }
}

/** Splits a skill's arguments like a shell: spaces separate words, and quotes group them. */
const wordsOf = (args: string): string[] =>
  [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')

/** Joins the first names of a list for use in a message. */
export function joinNames(names: readonly string[]): string {
  const listing = names.slice(0, MAX_NAMED).join(', ')
  return names.length > MAX_NAMED ? `${listing}, and ${names.length - MAX_NAMED} more` : listing
}
