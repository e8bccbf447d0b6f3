/**
 * Tool rules that match a call's arguments. Specific patterns take precedence over `*`; within each
 * group, the order is deny, ask, allow. A shell line is checked command by command, and the
 * strictest verdict applies. Calls that cannot be analyzed match only `*`.
 */

import { globMatcher, matchSegment } from '../../lib/glob.ts'
import { getOwn } from '../../lib/own-member.ts'
import type { ApprovalRule, ArgumentRules, Pattern } from '../config/types.ts'
import { contentSearch } from './builtin/content-search.ts'
import { fileList } from './builtin/file-list.ts'
import { BUILTINS } from './builtin/index.ts'
import type { BuiltinTool } from './builtin/tool.ts'
import { runsCode } from './shell-starters.ts'
import { baseName, type Command, simpleCommands, type Words } from './shell-words.ts'

export interface Verdict {
  readonly rule: ApprovalRule
  /** Explanation of the verdict for people: the matching rule and pattern, or another reason. */
  readonly why: string
}

export const HARMLESS = '@harmless'

/** Read-only shell commands, none of whose options or arguments writes, executes, or waits. */
const HARMLESS_COMMANDS: ReadonlySet<string> = new Set([
  ...['basename', 'cat', 'cmp', 'cut', 'df', 'diff', 'dirname', 'du', 'echo', 'egrep', 'false'],
  ...['fgrep', 'grep', 'head', 'id', 'ls', 'md5sum', 'nl', 'pwd', 'readlink', 'realpath', 'rev'],
  ...['sha1sum', 'sha256sum', 'stat', 'tac', 'tr', 'true', 'uname', 'wc', 'whoami'],
])

/** Part of a tool call that rule patterns are matched against. */
type Subject =
  | ({ readonly kind: 'command' } & Command)
  /** Path argument of a call; `reachesBelow` means that the tool reads the folder's content. */
  | { readonly kind: 'path'; readonly text: string; readonly reachesBelow: boolean }
  | { readonly kind: 'host'; readonly text: string }
  /** Call that rules can match only by argument names. */
  | { readonly kind: 'none' }
  /** Call that cannot be analyzed and may have any effect. */
  | { readonly kind: 'opaque' }

type CallArguments = Readonly<Record<string, unknown>>

const STRICTNESS: readonly ApprovalRule[] = ['allow', 'ask', 'deny']
const ORDER = ['deny', 'ask', 'allow'] as const

/** Returns the rules' verdict on a tool call; `args` is undefined if the arguments are unknown. */
export function judgeArguments(
  rules: ArgumentRules,
  tool: string,
  args: CallArguments | undefined,
): Verdict {
  const subjects = args === undefined ? [OPAQUE] : subjectsOf(tool, args)
  const verdicts = subjects.map((subject) => judgeOne(rules, subject, args ?? {}))
  return verdicts.reduce((left, right) =>
    STRICTNESS.indexOf(right.rule) > STRICTNESS.indexOf(left.rule) ? right : left,
  )
}

const OPAQUE: Subject = { kind: 'opaque' }

function judgeOne(rules: ArgumentRules, subject: Subject, args: CallArguments): Verdict {
  const specific = (rule: ApprovalRule): readonly Pattern[] =>
    (rules[rule] ?? []).filter((pattern) => pattern !== '*')
  for (const rule of ORDER) {
    const match = specific(rule).find((pattern) => matches(pattern, subject, args, rule))
    if (match !== undefined) return { rule, why: `${rule} ${JSON.stringify(match)}` }
    const possible =
      rule === 'ask' && [...specific('deny'), ...specific('ask')].find(isMaybe(subject))
    if (possible) return { rule, why: `a glob could expand to ${JSON.stringify(possible)}` }
  }
  // A restriction that cannot be evaluated might apply to this call.
  const hides = [...specific('deny'), ...specific('ask')].some((pattern) =>
    mayHide(subject, pattern),
  )
  for (const rule of ORDER) {
    if (!rules[rule]?.includes('*')) continue
    if (hides && rule === 'allow') break
    return { rule, why: `${rule} "*"` }
  }
  if (hides) return { rule: 'ask', why: 'its patterns cannot be matched here' }
  return (rules.allow ?? []).length > 0
    ? { rule: 'ask', why: 'no pattern allows it' }
    : { rule: 'allow', why: 'no pattern' }
}

/** Whether a restriction might still apply to a call that its pattern does not match. */
function mayHide(subject: Subject, restriction: Pattern): boolean {
  switch (subject.kind) {
    case 'opaque':
      return true
    case 'none':
      return typeof restriction === 'string'
    case 'command':
      return runsCode(baseName(subject.words[0]!), subject.words.slice(1))
    case 'path':
      return (
        subject.reachesBelow && typeof restriction === 'string' && meets(restriction, subject.text)
      )
    default:
      return false
  }
}

/** Whether any path below the folder may match the pattern. */
function meets(pattern: string, folder: string): boolean {
  const [fixed = ''] = /^[^*?[{]*/.exec(pattern) ?? []
  const below = folder === '' ? '' : `${folder}/`
  return fixed.startsWith(below) || below.startsWith(fixed)
}

function matches(
  pattern: Pattern,
  subject: Subject,
  args: CallArguments,
  rule: ApprovalRule,
): boolean {
  if (typeof pattern !== 'string') {
    const fit = rule === 'allow' ? fits : fitsLoosely
    return Object.entries(pattern).every(([name, expected]) => fit(expected, valueAt(args, name)))
  }
  switch (subject.kind) {
    case 'command':
      return pattern === HARMLESS
        ? HARMLESS_COMMANDS.has(subject.words[0]!)
        : matchWords(pattern, subject.words) ||
            (rule !== 'allow' && restricts(pattern, subject) === 'yes')
    case 'path':
      return globMatcher(pattern)?.(subject.text) ?? false
    case 'host':
      return matchSegment(pattern.toLowerCase(), subject.text)
    default:
      return false
  }
}

/**
 * Whether a command matches a pattern. `git status` matches exactly these words; a trailing `*` (or
 * `:*`) matches any further words.
 */
function matchWords(pattern: string, words: Words): boolean {
  const { fixed, isOpen } = wordsOf(pattern)
  if (words.length < fixed.length || (!isOpen && words.length > fixed.length)) return false
  return fixed.every((word, at) => matchSegment(word, words[at]!))
}

function wordsOf(pattern: string): { readonly fixed: Words; readonly isOpen: boolean } {
  const words = pattern
    .replace(/:\*$/, ' *')
    .split(/\s+/)
    .filter((word) => word !== '')
  const isOpen = words.at(-1) === '*'
  return { fixed: isOpen ? words.slice(0, -1) : words, isOpen }
}

/**
 * Whether a restriction applies to a command. The restriction cannot be bypassed by a path
 * (`/bin/rm`), by options before its words (`git -C . push`), or by globs that may expand to its
 * words.
 */
function restricts(pattern: string, { words, globs }: Command): 'yes' | 'no' | 'maybe' {
  const { fixed, isOpen } = wordsOf(pattern)
  const bare = [baseName(words[0] ?? ''), ...words.slice(1)]
  let at = 0
  for (const word of fixed) {
    for (; at < bare.length && !matchSegment(word, bare[at]!); at += 1) {
      if (globs.includes(at) && mayBecome(bare[at]!, word)) return 'maybe'
      // Only options and their values may precede the words of a pattern.
      if (at === 0 || !(bare[at]!.startsWith('-') || bare[at - 1]!.startsWith('-'))) return 'no'
    }
    if (at === bare.length) return 'no'
    at += 1
  }
  return isOpen || at === bare.length ? 'yes' : 'no'
}

/** Whether the glob may expand to a file name that matches the pattern. */
const mayBecome = (glob: string, pattern: string): boolean =>
  glob.includes('[') || /[*?]/.test(pattern) || matchSegment(glob, pattern)

const isMaybe =
  (subject: Subject) =>
  (pattern: Pattern): boolean =>
    subject.kind === 'command' &&
    typeof pattern === 'string' &&
    restricts(pattern, subject) === 'maybe'

const COMPARED = /^(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)$/

function fits(expected: string | number | boolean, value: unknown): boolean {
  if (typeof expected !== 'string') return value === expected
  const [, sign, bound] = COMPARED.exec(expected) ?? []
  if (sign === undefined) {
    const isPlain = typeof value === 'string' || typeof value === 'number'
    return isPlain && matchSegment(expected, String(value))
  }
  if (typeof value !== 'number') return false
  const limit = Number(bound)
  if (sign === '<=') return value <= limit
  if (sign === '>=') return value >= limit
  return sign === '<' ? value < limit : value > limit
}

/**
 * Matches a restriction's expected value loosely, so that another value type or a list of values
 * cannot bypass the restriction.
 */
function fitsLoosely(expected: string | number | boolean, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => fitsLoosely(expected, item))
  if (fits(expected, value)) return true
  if (typeof expected !== 'string')
    return typeof value === 'string' && value.trim() === `${expected}`
  const isNumber = typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
  return isNumber && fits(expected, Number(value))
}

/** Returns an argument of a call by name; `order.amount` names a member of an object. */
function valueAt(args: CallArguments, name: string): unknown {
  let at: unknown = args
  for (const key of Object.hasOwn(args, name) ? [name] : name.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined
    at = getOwn(at as CallArguments, key)
  }
  return at
}

/** Built-in tools whose calls string patterns can match, by name. */
const MATCHED: ReadonlyMap<string, BuiltinTool['matched']> = new Map(
  BUILTINS.flatMap(({ name, matched }) => (matched ? [[name, matched] as const] : [])),
)

/** Tools that return content from below the folder named in a call. */
const REACHING: ReadonlySet<string> = new Set([contentSearch.name, fileList.name])

/** Whether string patterns can match calls of this tool. */
export const takesPatterns = (tool: string): boolean => MATCHED.has(tool)

export const matchedBy = (tool: string): BuiltinTool['matched'] => MATCHED.get(tool)

function subjectsOf(tool: string, args: CallArguments): readonly Subject[] {
  const matched = MATCHED.get(tool)
  if (matched === 'command') {
    const commands = simpleCommands(String(args.command ?? ''))
    if (commands === undefined || commands.length === 0) return [OPAQUE]
    return commands.map((command) => ({ kind: 'command', ...command }))
  }
  if (matched === 'path') {
    const text = normalized(String(args.path ?? '.'))
    const reachesBelow = REACHING.has(tool)
    return [text === undefined ? OPAQUE : { kind: 'path', text, reachesBelow }]
  }
  if (matched === 'host') {
    const host = URL.canParse(String(args.url)) ? new URL(String(args.url)).hostname : undefined
    return [host === undefined ? OPAQUE : { kind: 'host', text: host.replace(/\.$/, '') }]
  }
  return [{ kind: 'none' }]
}

/** Resolves `.` and `..` in a path; returns undefined if the path leaves the working folder. */
function normalized(path: string): string | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return path.startsWith('/') ? undefined : parts.join('/')
}
