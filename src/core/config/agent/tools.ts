/**
 * Parses the tools that an agent file grants and denies: a comma-separated string, a list, an
 * OpenCode object, `*`, or nothing. A non-empty list never means "all tools". A tool whose rule
 * cannot be enforced is denied, not allowed without the rule.
 */

import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { builtinLack } from '../../tools/available.ts'
import { sessionsSpawn } from '../../tools/builtin/sessions-spawn.ts'
import { error, warning } from '../diagnostic.ts'
import type { AgentArgumentRules, Diagnostic, Grant } from '../types.ts'
import type { HeadEntry, Plain } from '../yaml/head.ts'
import { covers, guessedMcp, translate, translateDenied } from './grants.ts'
import { patternOf, scoped } from './specifiers.ts'
import { unknownTool } from './tool-names.ts'
import { distinct, entries, type NameVerdicts, namesIn, nestedLists, parts } from './tool-values.ts'

export interface ToolList {
  /** Tools that the agent may use; `null` inherits all tools. */
  readonly allowed: readonly Grant[] | null
  readonly denied: readonly Grant[]
  /** List entries that are denied because their specifier cannot be enforced. */
  readonly unenforced: readonly Grant[]
  /** Allowed tools that an unknown name may refer to, if such a server exists. */
  readonly guessed: readonly Grant[]
  /** Names of the agent's tools that require a person's approval. */
  readonly asks: readonly string[]
  /** IDs of agents that `Agent(a, b)` allows the agent to start; `null` allows any agent. */
  readonly spawns: readonly string[] | null
  /** Argument rules derived from the specifiers of tool entries. */
  readonly byArguments: readonly AgentArgumentRules[]
  readonly found: readonly Diagnostic[]
}

const INHERIT: ToolList = {
  allowed: null,
  denied: [],
  unenforced: [],
  guessed: [],
  asks: [],
  spawns: null,
  byArguments: [],
  found: [],
}

/** Parses the `tools` value; an absent key inherits all tools. */
export function grantedTools(entry: HeadEntry | undefined): ToolList {
  if (entry === undefined) return INHERIT
  const { value, line } = entry
  if (value === null || (typeof value === 'string' && value.trim() === '')) {
    return {
      ...INHERIT,
      found: [
        warning('tools_blank', '`tools` is empty; all tools are inherited', {
          line,
          hint: 'tools: []',
        }),
      ],
    }
  }
  const read = entries(value)
  if (!read.ok) return { ...INHERIT, found: [invalidList('tools', read.error, line)] }
  const list = toolList(read.value, line)
  return { ...list, found: [...nestedLists('tools', read.value, line), ...list.found] }
}

function toolList(verdicts: NameVerdicts, line: number): ToolList {
  const { asks } = verdicts
  if (verdicts.yes.some((name) => name.trim() === '*')) {
    const none = granted({ ...verdicts, yes: verdicts.yes.filter(allowsNothing) }, line)
    return { ...none, allowed: null, asks }
  }
  // OpenCode's `{write: false}` only removes tools and grants none.
  if (verdicts.yes.length === 0 && verdicts.no.length > 0 && !verdicts.no.includes('*')) {
    return { ...INHERIT, ...denials(verdicts, line) }
  }
  // The object `{"*": false, read: true}` allows only the named tools.
  return granted({ ...verdicts, no: verdicts.no.filter((name) => name !== '*') }, line)
}

const invalidList = (key: string, fault: string, line: number): Diagnostic =>
  error('tools_invalid', `\`${key}\` ${fault}`, { line, hint: `${key}: [Read, Grep]` })

function granted(verdicts: NameVerdicts, line: number): ToolList {
  const allowed: Grant[] = []
  const guessed: Grant[] = []
  const unenforced: Grant[] = []
  const unknown: string[] = []
  let emptied = 0
  const patterns = new Map<Grant, readonly string[]>()
  const { denied: deniedGrants, found: findings, byArguments } = denials(verdicts, line)
  let spawns: readonly string[] | null = null
  for (const text of verdicts.yes) {
    const { name, specifier } = parts(text)
    const grants = translate(name)
    if (grants === undefined) {
      const guesses = guessedMcp(name)
      allowed.push(...guesses)
      guessed.push(...guesses)
      if (guesses.length === 0) unknown.push(text)
      const effect = guesses.length === 0 ? 'dropped' : 'interpreted as a tool of an MCP server'
      findings.push(warning('unknown_tool', `${unknownTool(text)} (${effect})`, { line }))
    } else if (specifier === undefined) {
      allowed.push(...grants)
      findings.push(...unavailable(text, grants, line))
    } else if (allowsNothing(text)) {
      emptied += 1
      findings.push(restrictedToNone(text, grants, line))
      if (grants[0] === sessionsSpawn.name) spawns ??= []
      else unenforced.push(...grants)
    } else if (grants[0] === sessionsSpawn.name) {
      allowed.push(...grants)
      spawns = [...(spawns ?? []), ...namesIn(specifier)]
    } else {
      const pattern = patternOf(grants, specifier)
      if (pattern === undefined) {
        unenforced.push(...grants)
        findings.push(unenforceable(text, grants, line))
        continue
      }
      allowed.push(...grants)
      add(patterns, grants, pattern)
    }
  }
  if (spawns?.length === 0) unenforced.push(sessionsSpawn.name)
  deniedGrants.push(...unenforced)
  const remaining = distinct(allowed.filter((grant) => !deniedGrants.includes(grant)))
  if (remaining.length === 0 && verdicts.yes.length > emptied) {
    const names = unknown.length > 0 ? ` [${unknown.join(', ')}]` : ''
    findings.push(
      error('no_tools_left', `no tool in the list can be granted${names}`, {
        line,
        hint: 'tools: []   # for an agent without tools',
      }),
    )
  }
  return {
    allowed: remaining,
    denied: distinct(deniedGrants),
    unenforced,
    guessed,
    asks: verdicts.asks,
    spawns,
    byArguments: [...byArguments, ...scoped(patterns, line, { only: true })],
    found: findings,
  }
}

function add(
  patterns: Map<Grant, readonly string[]>,
  grants: readonly Grant[],
  pattern: string,
): void {
  for (const grant of grants) patterns.set(grant, [...(patterns.get(grant) ?? []), pattern])
}

type Denials = Pick<ToolList, 'denied' | 'byArguments' | 'found'>
const NO_DENIALS: Denials = { denied: [], byArguments: [], found: [] }

/**
 * Parses the `disallowedTools` value. A specifier that cannot be enforced denies the whole tool.
 */
export function deniedTools(entry: HeadEntry | undefined): Denials {
  if (entry === undefined || entry.value === null) return NO_DENIALS
  const { value, line } = entry
  const read = deniedNames(value)
  if (!read.ok) {
    return { ...NO_DENIALS, found: [invalidList('disallowedTools', read.error, line)] }
  }
  const { found: findings, ...denialLists } = denials({ no: read.value.yes }, line)
  return {
    ...denialLists,
    found: [...nestedLists('disallowedTools', read.value, line), ...findings],
  }
}

/**
 * Parses the names in a denial list, where `{bash: deny}` is clear and `{bash: allow}` is
 * ambiguous.
 */
function deniedNames(value: Plain): Outcome<Pick<NameVerdicts, 'yes' | 'nested'>, string> {
  const read = entries(value)
  if (!read.ok) return read
  const { yes, nested } = read.value
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const rules = Object.entries(value).map(
      ([name, verdict]) => [name, String(verdict).trim()] as const,
    )
    const unclear = rules.find(([, word]) => /^(?:allow|ask)$/i.test(word))
    if (unclear)
      return fail(`has \`${unclear[1]}\` for \`${unclear[0]}\`, which does not deny the tool`)
    const names = rules.filter(([, word]) => /^deny$/i.test(word)).map(([name]) => name)
    return ok({ yes: [...yes, ...names], nested })
  }
  const word = yes.find((name) => NO_NAME.test(name))
  return word === undefined ? ok({ yes, nested }) : fail(`has \`${word}\`, which is not a tool`)
}

const NO_NAME = /^(?:true|false|yes|no|on|off|all|any)$/i

function denials(
  verdicts: Pick<NameVerdicts, 'no'>,
  line: number,
): Denials & { denied: Grant[]; found: Diagnostic[] } {
  const patterns = new Map<Grant, readonly string[]>()
  const deniedGrants: Grant[] = []
  const findings: Diagnostic[] = []
  for (const text of verdicts.no) {
    const { name, specifier } = parts(text)
    const grants = translateDenied(name)
    if (grants === undefined) {
      deniedGrants.push(...guessedMcp(name))
      findings.push(warning('unknown_tool', `${unknownTool(text)} (nothing to deny)`, { line }))
      continue
    }
    const pattern = specifier === undefined ? undefined : patternOf(grants, specifier)
    if (pattern !== undefined) {
      add(patterns, grants, pattern)
      continue
    }
    deniedGrants.push(...grants)
    if (specifier !== undefined) findings.push(unenforceable(text, grants, line))
  }
  const byArguments = scoped(patterns, line, { only: false })
  return { denied: distinct(deniedGrants), byArguments, found: findings }
}

const unenforceable = (text: string, grants: readonly Grant[], line: number): Diagnostic =>
  warning(
    'specifier_denied',
    `\`${text}\` cannot be enforced here; ${grants.join(' and ')} is denied`,
    { line, hint: parts(text).name },
  )

/** Whether a tool entry allows nothing, such as `Agent()` or `Bash( )`. */
function allowsNothing(text: string): boolean {
  const { specifier } = parts(text)
  return specifier !== undefined && namesIn(specifier).length === 0
}

const restrictedToNone = (text: string, grants: readonly Grant[], line: number): Diagnostic =>
  warning(
    'specifier_empty',
    `\`${text}\` has empty parentheses; ${grants.join(' and ')} is not granted`,
    { line, hint: parts(text).name },
  )

function unavailable(text: string, grants: readonly Grant[], line: number): Diagnostic[] {
  return grants.flatMap((grant) => {
    const lack = builtinLack(grant)
    const means = text === grant ? `\`${grant}\`` : `\`${text}\` refers to ${grant}, which`
    return lack === undefined
      ? []
      : [warning('tool_unavailable', `${means} is not available: ${lack}`, { line })]
  })
}

/** Removes denied tools from the allowed tools, and reports tools that are in both lists. */
export function subtract(
  allowed: readonly Grant[] | null,
  deniedGrants: readonly Grant[],
  line: number | null,
): { readonly allowed: readonly Grant[] | null; readonly found: readonly Diagnostic[] } {
  if (allowed === null) return { allowed, found: [] }
  const overlap = allowed.filter((grant) => deniedGrants.some((deny) => covers(deny, grant)))
  if (overlap.length === 0) return { allowed, found: [] }
  const message = `both allowed and denied; denied: ${overlap.join(', ')}`
  return {
    allowed: allowed.filter((grant) => !overlap.includes(grant)),
    found: [warning('denied_wins', message, { line })],
  }
}
