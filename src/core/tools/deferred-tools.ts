/**
 * Deferred tools, shown when the model has found or called them: those of MCP servers where a run
 * has more tools than a model should be shown or where they take too much of its window, and those
 * that manage agents, skills, servers, and schedules unless they are granted by name. They are
 * tools of the run all the same: a call needs no search, and rules apply as for any other. The log
 * determines which were found.
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

/** Server → number of its tools. */
export type Deferred = NonNullable<Pin['deferred']>

const manages = (route: Route | undefined): boolean =>
  route?.kind === 'builtin' && isManaging(route.tool)

/** The deferred part of these tools. `inherited`: neither agent nor caller names any. */
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

/** Tools of servers as a model of this window would be shown them. */
interface RemoteTools {
  readonly of?: readonly ToolSpec[]
  /** In tokens. */
  readonly window?: number | undefined
}

/** A token usually has four bytes. */
const TOKEN_BYTES = 4

/** Bytes that the tools of servers together may take of a window of so many tokens. */
const shareOf = (window: number): number =>
  Math.floor((window * TOKEN_BYTES * LIMITS.remote_tools_percent) / 100)

/** Bytes of tools as a model is shown them. */
const sizeOf = (tools: readonly ToolSpec[]): number =>
  tools.reduce((sum, tool) => sum + byteLength(JSON.stringify(tool)), 0)

/** Undefined: few and small enough that all are shown. */
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
 * Tools that the model is shown: those found last stand last, so that all before them stays
 * cached. `before`: the conversation before the run. Nothing found: the same list each time.
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

/** The last ones that fit, at least one; the others can be called or found all the same. */
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

/** Cached by the list's own object, which belongs to one pin. */
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

/** Tools that an earlier conversation has found or called: of a session, or before a fork. */
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

const MAX_SHOWN = 50

/** For people: why. */
export const deferredWhy = (window: number): string =>
  `more than ${LIMITS.offered_tools} tools, or more than ${shareOf(window)} bytes of them ` +
  `(${LIMITS.remote_tools_percent} % of the window), are not shown at once`

/** For people, where a search is denied and all are shown; undefined: they are within the share. */
export function largeText(tools: readonly ToolSpec[], window: number): string | undefined {
  const bytes = sizeOf(tools)
  const most = shareOf(window)
  if (bytes <= most) return undefined
  return (
    `the tools of MCP servers take ${bytes} bytes of each request, more than ${most} ` +
    `(${LIMITS.remote_tools_percent} % of the window), and ${toolSearch.name} is denied: all are shown`
  )
}

/** For the model, and for people. */
export function deferredText(deferred: Deferred): string {
  const servers = Object.entries(deferred)
  const total = servers.reduce((sum, [, count]) => sum + count, 0)
  const serverList = servers
    .slice(0, MAX_SHOWN)
    .map(([name, count]) => `${quoteText(name, NAME_BYTES)} (${count})`)
  const more = servers.length > MAX_SHOWN ? ` and ${servers.length - MAX_SHOWN} more servers` : ''
  return (
    `${total} tools of the MCP server${servers.length === 1 ? '' : 's'} ${serverList.join(', ')}${more} ` +
    `are not shown: ${toolSearch.name} finds them`
  )
}
