/**
 * Deferred tools, which the model sees only after finding or calling them. MCP tools are deferred
 * if there are too many, or if they take too much of the window. Tools that manage agents, skills,
 * servers, and schedules are deferred unless granted by name. Deferred tools still belong to the
 * run: they can be called without a search, and the same rules apply. The log determines which
 * tools were found.
 */

import { byteLength } from '../../lib/bytes.ts'
import { quoteText } from '../../lib/invisible-characters.ts'
import { getOwn } from '../../lib/own-member.ts'
import { LIMITS } from '../limits.ts'
import { isManaging } from '../manage/registry.ts'
import { isRef, type Message, type ToolSpec } from '../message.ts'
import { NAME_BYTES } from '../prompt.ts'
import { chainOf } from '../run/log/models.ts'
import type { Pin, Route } from '../run/log/pin.ts'
import type { RunState } from '../run/state/state.ts'
import { toolSearch } from './builtin/tool-search.ts'

/** Number of deferred tools by MCP server. */
export type Deferred = NonNullable<Pin['deferred']>

const manages = (route: Route | undefined): boolean =>
  route?.kind === 'builtin' && isManaging(route.tool)

/**
 * Returns the run's deferred tools. `inherited` means that neither the agent nor the caller names
 * any tools.
 */
export function deferredOf(
  routes: Readonly<Record<string, Route>>,
  inherited: boolean,
  { of = [], window }: RemoteTools = {},
): Pick<Pin, 'deferred' | 'deferred_operations'> {
  const operations = inherited && Object.values(routes).some(manages)
  const otherRoutes = Object.values(routes).filter((route) => !(operations && manages(route)))
  const isLarge = window !== undefined && sizeOf(of) > shareOf(window)
  const deferred = manyServers(otherRoutes, isLarge)
  return {
    ...(deferred ? { deferred } : {}),
    ...(operations ? { deferred_operations: true } : {}),
  }
}

/** MCP tools as shown to a model, with the size of its window. */
interface RemoteTools {
  readonly of?: readonly ToolSpec[]
  /** Size of the model's window in tokens. */
  readonly window?: number | undefined
}

/** Typical number of bytes per token. */
const TOKEN_BYTES = 4

/** Returns the maximum total size of MCP tools in bytes for a window in tokens. */
const shareOf = (window: number): number =>
  Math.floor((window * TOKEN_BYTES * LIMITS.remote_tools_percent) / 100)

/** Returns the size of tools in bytes, as shown to a model. */
const sizeOf = (tools: readonly ToolSpec[]): number =>
  tools.reduce((sum, tool) => sum + byteLength(JSON.stringify(tool)), 0)

/**
 * Returns the number of deferred tools by server; undefined if all tools are few and small enough
 * to show.
 */
function manyServers(all: readonly Route[], isLarge: boolean): Deferred | undefined {
  const counts = new Map<string, number>()
  for (const route of all) {
    if (route.kind === 'mcp') counts.set(route.server, (counts.get(route.server) ?? 0) + 1)
  }
  if ((all.length <= LIMITS.offered_tools && !isLarge) || counts.size === 0) return undefined
  return Object.fromEntries(counts)
}

type Searched = Pick<Pin, 'tools' | 'routes' | 'deferred' | 'deferred_operations'>

/**
 * Returns the tools shown to the model. The most recently found tools are last, so that the list
 * before them stays cached. `before` is the conversation before the run. If no tools were found,
 * the list is always the same.
 */
export function offeredTools(
  pin: Searched & Pick<Pin, 'found'>,
  { calls, started }: Pick<RunState, 'calls'> & Partial<Pick<RunState, 'started'>>,
  history: readonly Message[],
): Pin['tools'] {
  const { hidden, shown: visibleTools } = partsOf(pin)
  if (hidden.size === 0) return pin.tools
  const foundNames = new Set([...(pin.found ?? []), ...foundIn(history)])
  for (const { tool, result } of calls.values()) {
    if (result === null) continue
    for (const name of [tool, ...(result.found ?? [])]) foundNames.add(name)
  }
  const more = [...foundNames].flatMap((name) => hidden.get(name) ?? [])
  if (more.length === 0) return visibleTools
  const windows = started ? chainOf(started).map(({ window }) => window) : []
  return [...visibleTools, ...newest(more, shareOf(Math.min(...windows)))]
}

/**
 * Returns the most recently found tools that fit, at least one. The other tools can still be called
 * or found.
 */
function newest(tools: readonly ToolSpec[], most: number): readonly ToolSpec[] {
  let from = tools.length
  for (let bytes = 0; from > 0; from -= 1) {
    bytes += sizeOf([tools[from - 1]!])
    if (bytes > most && from < tools.length) break
  }
  return tools.slice(from)
}

interface Parts {
  readonly shown: Pin['tools']
  readonly hidden: ReadonlyMap<string, ToolSpec>
}
const parts = new WeakMap<Pin['tools'], Parts>()

/** Returns the shown and hidden tools of a pin, cached by the identity of its tool list. */
function partsOf(pin: Searched): Parts {
  const cached = parts.get(pin.tools)
  if (cached) return cached
  const hidden = new Map(deferredTools(pin).map((tool) => [tool.name, tool]))
  const computed = { hidden, shown: pin.tools.filter(({ name }) => !hidden.has(name)) }
  parts.set(pin.tools, computed)
  return computed
}

export const deferredTools = ({ tools, ...pin }: Searched): ToolSpec[] =>
  tools.filter(({ name }) => isDeferred(name, pin))

export function isDeferred(name: string, pin: Omit<Searched, 'tools'>): boolean {
  const route = getOwn(pin.routes, name)
  if (route?.kind === 'mcp') return pin.deferred !== undefined
  return pin.deferred_operations === true && manages(route)
}

/**
 * Returns the names of tools found or called earlier in the conversation, in the session or before
 * a fork.
 */
export function foundIn(messages: readonly Message[]): string[] {
  const names = messages.flatMap((message): readonly unknown[] => {
    if (message.role === 'assistant')
      return message.parts.map((part) => (part.type === 'call' ? part.tool : undefined))
    if (message.role !== 'tool') return []
    return message.results
      .filter(({ tool }) => tool === toolSearch.name)
      .flatMap(({ text }) => (isRef(text) ? [] : namesIn(text)))
  })
  return [...new Set(names.filter((name) => typeof name === 'string'))]
}

/**
 * Returns the tool names in a search result. A truncated result names none; its tools can be found
 * again.
 */
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

const MAX_SHOWN = 50

/** Explains to people why tools are deferred. */
export const deferredWhy = (window: number): string =>
  `more than ${LIMITS.offered_tools} tools, or more than ${shareOf(window)} bytes of ` +
  `tools (${LIMITS.remote_tools_percent}% of the window), are not shown at once`

/**
 * Returns a warning for people if tool search is denied and the tools shown exceed the size limit.
 * Returns undefined if they are within the limit.
 */
export function largeText(tools: readonly ToolSpec[], window: number): string | undefined {
  const bytes = sizeOf(tools)
  const most = shareOf(window)
  if (bytes <= most) return undefined
  return (
    `the tools of MCP servers use ${bytes} bytes of each request, more than ${most} ` +
    `(${LIMITS.remote_tools_percent}% of the window), and ${toolSearch.name} is denied; ` +
    'all are shown'
  )
}

/** Describes deferred tools to the model and to people. */
export function deferredText(deferred: Deferred): string {
  const servers = Object.entries(deferred)
  const total = servers.reduce((sum, [, count]) => sum + count, 0)
  const serverList = servers
    .slice(0, MAX_SHOWN)
    .map(([name, count]) => `${quoteText(name, NAME_BYTES)} (${count})`)
  const more = servers.length > MAX_SHOWN ? ` and ${servers.length - MAX_SHOWN} more servers` : ''
  return (
    `${total} tools of the MCP server${servers.length === 1 ? '' : 's'} ` +
    `${serverList.join(', ')}${more} are not shown; ${toolSearch.name} finds them`
  )
}
