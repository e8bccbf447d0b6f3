/**
 * Ranks tools for a search query: by exact name, name prefix, words in names, and words in
 * descriptions.
 */

import type { ToolSpec } from '../message.ts'
import type { Route } from '../run/log/pin.ts'

export interface Searched {
  readonly tools: readonly ToolSpec[]
  readonly routes: Readonly<Record<string, Route>>
}
export interface Ranked {
  /** Matching tools, best match first. */
  readonly tools: readonly ToolSpec[]
  /** Names in a `select:` query that match no tool. */
  readonly unknown: readonly string[]
}

const SELECT = /^\s*select:/i
/** Maximum number of query words used. */
const WORDS = 20
const EXACT = 1_000
const BEGINNING = 100
const IN_NAME = 10
const IN_DESCRIPTION = 1

/**
 * Returns all tools that match a query. `select:a,b` selects tools by name, at the server or as
 * models see them.
 */
export function ranked(searched: Searched, query: string): Ranked {
  if (SELECT.test(query)) return selected(searched, query.replace(SELECT, ''))
  const phrase = query.trim().toLowerCase()
  const words = [...new Set(wordsOf(phrase))].slice(0, WORDS)
  const scored = searched.tools
    .map((tool) => ({ tool, score: scoreOf(tool, searched, { wanted: phrase, words }) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
  return { tools: scored.map(({ tool }) => tool), unknown: [] }
}

function selected({ tools, routes }: Searched, list: string): Ranked {
  const matches = new Set<ToolSpec>()
  const unknown: string[] = []
  for (const name of list.split(',').map((part) => part.trim().toLowerCase())) {
    if (name === '') continue
    const matching = tools.filter((tool) => namesOf(tool, routes).includes(name))
    for (const tool of matching) matches.add(tool)
    if (matching.length === 0) unknown.push(name)
  }
  return { tools: [...matches], unknown }
}

/** Returns the names of a tool: as models see it, and at its server. */
function namesOf({ name }: ToolSpec, routes: Searched['routes']): string[] {
  const route = routes[name]
  return [name, ...(route?.kind === 'mcp' ? [route.tool] : [])].map((spelling) =>
    spelling.toLowerCase(),
  )
}

interface RankQuery {
  readonly wanted: string
  readonly words: readonly string[]
}

function scoreOf(
  tool: ToolSpec,
  { routes }: Searched,
  { wanted: phrase, words }: RankQuery,
): number {
  const names = namesOf(tool, routes)
  const name = names.join(' ')
  const inName = new Set(wordsOf(name))
  const description = tool.description.toLowerCase()
  let score = 0
  if (phrase !== '' && names.includes(phrase)) score += EXACT
  else if (phrase !== '' && names.some((toolName) => toolName.startsWith(phrase)))
    score += BEGINNING
  for (const word of words) {
    if (inName.has(word)) score += IN_NAME
    else if (name.includes(word)) score += IN_NAME / 2
    if (description.includes(word)) score += IN_DESCRIPTION
  }
  return score
}

/**
 * Splits names into words. `createIssue` and `create_issue` give the same words. The query is
 * already in lower case.
 */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
