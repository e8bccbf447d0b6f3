/**
 * Checks tool names in a request. Agent files are third-party input and may name any tool. An
 * unknown tool in a request is an error, because a restriction with a typo would restrict nothing.
 */

import { matchSegment } from '../../lib/glob.ts'
import { nameKey } from '../../lib/name.ts'
import { nearest } from '../../lib/nearest-name.ts'
import { translate, translateDenied } from '../config/agent/grants.ts'
import { KNOWN_WORDS, OUR_TOOLS, toolsNamed } from '../config/agent/tool-names.ts'
import type { ProblemPlace, Refusal } from '../problem.ts'
import { refusal } from '../problem.ts'
import { withoutSpecifier } from './missing-tools.ts'

export interface RequestedTools {
  readonly tools?: readonly string[] | null | undefined
  readonly disallowed_tools?: readonly string[] | null | undefined
}

/**
 * Returns an error with a JSON pointer for every unknown tool name; `at` is the pointer to the tool
 * lists.
 */
export function wrongTools({ tools, disallowed_tools }: RequestedTools, at = ''): ProblemPlace[] {
  return [
    ...wrongIn(tools, `${at}/tools`, granted),
    ...wrongIn(disallowed_tools, `${at}/disallowed_tools`, denialFault),
  ]
}

const granted = (name: string): string | undefined => {
  if (name === '*' || translate(name) !== undefined) return undefined
  const bare = withoutSpecifier(name)
  if (bare === name || translate(bare) === undefined) return unknown(name)
  return `${quoteName(name)}: rules in parentheses cannot be enforced here; use only its name`
}

const denialFault = (name: string): string | undefined =>
  translateDenied(withoutSpecifier(name)) === undefined ? unknown(name) : undefined

const quoteName = (name: string): string => JSON.stringify(name.slice(0, 100))

const unknown = (name: string): string =>
  `unknown tool ${quoteName(name)}; the nearest known tool is ` + `${nearest(name, KNOWN_WORDS)}`

const wrongIn = (
  names: readonly string[] | null | undefined,
  at: string,
  fault: (name: string) => string | undefined,
): ProblemPlace[] =>
  (names ?? []).flatMap((name, index) => {
    const message = fault(name.trim())
    return message === undefined ? [] : [{ pointer: `${at}/${index}`, message }]
  })

export function toolsRefused(request: RequestedTools, at = ''): Refusal | undefined {
  const errors = wrongTools(request, at)
  if (errors.length === 0) return undefined
  return refusal('invalid_request', `${errors[0]!.pointer}: ${errors[0]!.message}.`, { errors })
}

/**
 * Whether a policy glob can match any built-in tool or MCP tool. The glob applies to names as
 * models see them.
 */
export function mayMatchTool(glob: string): boolean {
  const head = nameKey(glob.replace(/[*?].*$/s, ''))
  const remote = head.startsWith(MCP) || (head.length < glob.length && MCP.startsWith(head))
  return remote || OUR_TOOLS.some((name) => matchSegment(nameKey(glob), name))
}

const MCP = 'mcp__'

/** Suggests the nearest built-in tool name; policies do not accept other products' names. */
export function nearestTool(word: string): string {
  const [builtin] = toolsNamed(word) ?? []
  return builtin ?? nearest(word, OUR_TOOLS) ?? ''
}
