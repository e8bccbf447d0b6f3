/**
 * Rules on a tool by the arguments of its calls. A specific pattern counts before the pattern `*`,
 * and among each of these deny before ask before allow. A line for a shell is judged command by
 * command, and the strictest verdict counts; what cannot be judged is matched by `*` alone.
 */

import { globMatcher, matchSegment } from '../../lib/glob.ts'
import { own } from '../../lib/own.ts'
import type { ApprovalRule, ArgumentRules, Pattern } from '../config/types.ts'
import { BUILTINS } from './builtin/index.ts'
import type { BuiltinTool } from './builtin/tool.ts'
import { baseName, simpleCommands, type Words } from './shell-words.ts'

export interface Verdict {
  readonly rule: ApprovalRule
  /** The rule and its pattern, for people; of no pattern, why. */
  readonly why: string
}

export const HARMLESS = '@harmless'

/** Commands that only read: no option or argument of theirs writes, executes, or waits. */
const HARMLESS_COMMANDS: ReadonlySet<string> = new Set([
  ...['basename', 'cat', 'cmp', 'cut', 'df', 'diff', 'dirname', 'du', 'echo', 'egrep', 'false'],
  ...['fgrep', 'grep', 'head', 'id', 'ls', 'md5sum', 'nl', 'pwd', 'readlink', 'realpath', 'rev'],
  ...['sha1sum', 'sha256sum', 'stat', 'tac', 'tr', 'true', 'uname', 'wc', 'whoami'],
])

/** One part of a call that the patterns are matched against. */
type Subject =
  | { readonly kind: 'command'; readonly words: Words }
  | { readonly kind: 'path' | 'host'; readonly text: string }
  /** Nothing of the call can be matched but its arguments by name. */
  | { readonly kind: 'none' }
  /** It can have any effect. */
  | { readonly kind: 'opaque' }

type Given = Readonly<Record<string, unknown>>

const STRICTNESS: readonly ApprovalRule[] = ['allow', 'ask', 'deny']
const ORDER = ['deny', 'ask', 'allow'] as const

/** The verdict on a call; `given`: its arguments, undefined where they are not known. */
export function judgeArguments(
  rules: ArgumentRules,
  tool: string,
  given: Given | undefined,
): Verdict {
  const subjects = given === undefined ? [OPAQUE] : subjectsOf(tool, given)
  const verdicts = subjects.map((one) => judgeOne(rules, one, given ?? {}))
  return verdicts.reduce((left, right) =>
    STRICTNESS.indexOf(right.rule) > STRICTNESS.indexOf(left.rule) ? right : left,
  )
}

const OPAQUE: Subject = { kind: 'opaque' }

function judgeOne(rules: ArgumentRules, subject: Subject, given: Given): Verdict {
  const specific = (rule: ApprovalRule): readonly Pattern[] =>
    (rules[rule] ?? []).filter((one) => one !== '*')
  for (const rule of ORDER) {
    const found = specific(rule).find((one) => matches(one, subject, given, rule))
    if (found !== undefined) return { rule, why: `${rule} ${JSON.stringify(found)}` }
  }
  // A restriction that cannot be judged may be one of this call.
  const restricts = [...specific('deny'), ...specific('ask')]
  const hides =
    subject.kind === 'opaque'
      ? restricts.length > 0
      : subject.kind === 'none' && restricts.some((one) => typeof one === 'string')
  for (const rule of ORDER) {
    if (!rules[rule]?.includes('*')) continue
    if (hides && rule === 'allow') break
    return { rule, why: `${rule} "*"` }
  }
  if (hides) return { rule: 'ask', why: 'its patterns cannot be judged for this call' }
  return (rules.allow ?? []).length > 0
    ? { rule: 'ask', why: 'no pattern allows it' }
    : { rule: 'allow', why: 'no pattern' }
}

function matches(pattern: Pattern, subject: Subject, given: Given, rule: ApprovalRule): boolean {
  if (typeof pattern !== 'string') {
    return Object.entries(pattern).every(([name, wanted]) => fits(wanted, valueAt(given, name)))
  }
  switch (subject.kind) {
    case 'command':
      return pattern === HARMLESS
        ? HARMLESS_COMMANDS.has(subject.words[0]!)
        : matchWords(pattern, subject.words) ||
            (rule !== 'allow' && matchWords(pattern, bare(subject.words)))
    case 'path':
      return globMatcher(pattern)?.(subject.text) ?? false
    case 'host':
      return matchSegment(pattern.toLowerCase(), subject.text)
    default:
      return false
  }
}

/** `/bin/rm` is no other command than `rm` where it is restricted. */
const bare = ([first = '', ...rest]: Words): Words => [baseName(first), ...rest]

/** `git status` is these words and no more; a last `*` (or `:*`) is any further words. */
function matchWords(pattern: string, words: Words): boolean {
  const wanted = pattern
    .replace(/:\*$/, ' *')
    .split(/\s+/)
    .filter((word) => word !== '')
  const isOpen = wanted.at(-1) === '*'
  const fixed = isOpen ? wanted.slice(0, -1) : wanted
  if (words.length < fixed.length || (!isOpen && words.length > fixed.length)) return false
  return fixed.every((word, at) => matchSegment(word, words[at]!))
}

const COMPARED = /^(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)$/

function fits(wanted: string | number | boolean, value: unknown): boolean {
  if (typeof wanted !== 'string') return value === wanted
  const [, sign, bound] = COMPARED.exec(wanted) ?? []
  if (sign === undefined) {
    const isPlain = typeof value === 'string' || typeof value === 'number'
    return isPlain && matchSegment(wanted, String(value))
  }
  if (typeof value !== 'number') return false
  const limit = Number(bound)
  if (sign === '<=') return value <= limit
  if (sign === '>=') return value >= limit
  return sign === '<' ? value < limit : value > limit
}

/** `order.amount`: of an object within the arguments. */
function valueAt(given: Given, name: string): unknown {
  let at: unknown = given
  for (const key of Object.hasOwn(given, name) ? [name] : name.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined
    at = own(at as Given, key)
  }
  return at
}

/** By name, the built-in tools whose calls can be matched. */
const MATCHED: ReadonlyMap<string, BuiltinTool['matched']> = new Map(
  BUILTINS.flatMap(({ name, matched }) => (matched ? [[name, matched] as const] : [])),
)

/** Whether a pattern that is a text means something for calls of this tool. */
export const takesPatterns = (tool: string): boolean => MATCHED.has(tool)

export const matchedBy = (tool: string): BuiltinTool['matched'] => MATCHED.get(tool)

function subjectsOf(tool: string, given: Given): readonly Subject[] {
  const matched = MATCHED.get(tool)
  if (matched === 'command') {
    const commands = simpleCommands(String(given.command ?? ''))
    if (commands === undefined || commands.length === 0) return [OPAQUE]
    return commands.map((words) => ({ kind: 'command', words }))
  }
  if (matched === 'path') {
    const text = normalized(String(given.path ?? '.'))
    return [text === undefined ? OPAQUE : { kind: 'path', text }]
  }
  if (matched === 'host') {
    const host = URL.canParse(String(given.url)) ? new URL(String(given.url)).hostname : undefined
    return [host === undefined ? OPAQUE : { kind: 'host', text: host.replace(/\.$/, '') }]
  }
  return [{ kind: 'none' }]
}

/** Without `.` and `..`; undefined: it leaves the folder. */
function normalized(path: string): string | undefined {
  const kept: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && kept.pop() === undefined) return undefined
    if (part !== '' && part !== '.' && part !== '..') kept.push(part)
  }
  return path.startsWith('/') ? undefined : kept.join('/')
}
