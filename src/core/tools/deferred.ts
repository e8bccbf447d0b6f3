/**
 * Deferred tools: of a run with more tools than a model should be shown, those of MCP servers are
 * shown when the model has found or called them. They are tools of the run all the same: a call
 * needs no search, and rules hold as for any other. What was found follows from the log.
 */

import { quoted } from '../../lib/visible.ts'
import { LIMITS } from '../limits.ts'
import { isRef, type Message, type ToolSpec } from '../message.ts'
import { NAME_BYTES } from '../prompt.ts'
import type { Pin, Route } from '../run/pin.ts'
import type { RunState } from '../run/state.ts'
import { toolSearch } from './builtin/tool-search.ts'

/** Server → number of its tools. */
export type Deferred = NonNullable<Pin['deferred']>

/** Undefined: few enough that all are shown. */
export function deferredOf(routes: Readonly<Record<string, Route>>): Deferred | undefined {
  const all = Object.values(routes)
  const counts = new Map<string, number>()
  for (const route of all) {
    if (route.kind === 'mcp') counts.set(route.server, (counts.get(route.server) ?? 0) + 1)
  }
  if (all.length <= LIMITS.offered_tools || counts.size === 0) return undefined
  return Object.fromEntries(counts)
}

type Pinned = Pick<Pin, 'tools' | 'routes' | 'deferred' | 'found'>

/** Tools that the model is shown: those found last stand last, so that what came before stays cached. */
export function offeredTools(pin: Pinned, { calls }: Pick<RunState, 'calls'>): Pin['tools'] {
  if (pin.deferred === undefined) return pin.tools
  const found = new Set(pin.found)
  for (const { tool, result } of calls.values()) {
    if (result === null) continue
    for (const name of [tool, ...(result.found ?? [])]) found.add(name)
  }
  const hidden = new Map(deferredTools(pin).map((tool) => [tool.name, tool]))
  const shown = pin.tools.filter(({ name }) => !hidden.has(name))
  return [...shown, ...[...found].flatMap((name) => hidden.get(name) ?? [])]
}

export const deferredTools = ({ tools, routes }: Pick<Pin, 'tools' | 'routes'>): ToolSpec[] =>
  tools.filter(({ name }) => routes[name]?.kind === 'mcp')

/** Tools that an earlier conversation has found or called: of a session, or before a fork. */
export function foundIn(messages: readonly Message[]): string[] {
  const found = messages.flatMap((message): readonly unknown[] => {
    if (message.role === 'assistant')
      return message.parts.map((part) => (part.type === 'call' ? part.tool : undefined))
    if (message.role !== 'tool') return []
    return message.results
      .filter(({ tool }) => tool === toolSearch.name)
      .flatMap(({ text }) => (isRef(text) ? [] : namesIn(text)))
  })
  return [...new Set(found.filter((name) => typeof name === 'string'))]
}

/** A result that was cut or shortened names nothing: its tools can be found again. */
function namesIn(text: string): readonly unknown[] {
  try {
    const { tools } = JSON.parse(text) as { tools?: unknown }
    return Array.isArray(tools)
      ? tools.map((tool) => (tool as { name?: unknown } | null)?.name)
      : []
  } catch {
    return []
  }
}

const SHOWN = 50

/** For the model, and for people. */
export function deferredText(deferred: Deferred): string {
  const servers = Object.entries(deferred)
  const total = servers.reduce((sum, [, count]) => sum + count, 0)
  const listed = servers
    .slice(0, SHOWN)
    .map(([name, count]) => `${quoted(name, NAME_BYTES)} (${count})`)
  const more = servers.length > SHOWN ? ` and ${servers.length - SHOWN} more servers` : ''
  return (
    `${total} tools of the MCP server${servers.length === 1 ? '' : 's'} ${listed.join(', ')}${more} ` +
    `are not shown: ${toolSearch.name} finds them`
  )
}
