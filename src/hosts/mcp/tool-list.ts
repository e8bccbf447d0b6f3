/**
 * Reads the pages of a server's tool list. The client library requests the pages and receives the
 * usable tools, with a cursor only if another page may follow. If a list is too long or endless,
 * the tools read so far are used, with a finding.
 */

import { type Client, METHOD_NOT_FOUND, ProtocolError } from '@modelcontextprotocol/client'
import { LIMITS } from '../../core/limits.ts'
import { isMap } from '../../core/tools/schema-values.ts'
import { quoteText } from '../../lib/invisible-characters.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ListFinding, RemoteTool } from '../../ports/world.ts'
import type { Deadline } from '../outbound/deadline.ts'
import { judgeTool, kindOf } from './tool-judge.ts'

/** Request parameter that names the page walk of a request within this process; never sent. */
const WALK = 'strata/walk'

const NO_LIST = "the server's tool list is invalid"

class ToolWalk {
  readonly tools = new Map<string, RemoteTool>()
  /** Lifetime of the tool list as declared by the server, in milliseconds. */
  ttlMs: number | undefined
  /** Length of the serialized tools, in characters; 1 for an empty list. */
  length = 1
  pages = 0
  /** Whether reading of further pages has stopped. */
  stopped = false
  /** Whether the list is incomplete because of a page that the next attempt may read. */
  isPart = false
  readonly #leftOut = new FindingList('of its tools are omitted')
  readonly #repairedTools = new FindingList('of its tools are repaired')
  readonly #ofList: ListFinding[] = []
  readonly #cursors = new Set<string>()
  #entries = 0
  #repeated = 0

  get findings(): readonly ListFinding[] {
    const repeated = `${this.#repeated} of its tools are listed twice; the first entry is used`
    const ofAll = [...this.#ofList, ...(this.#repeated > 0 ? [ofList(repeated)] : [])]
    return [...this.#leftOut.findings, ...ofAll, ...this.#repairedTools.findings]
  }

  /** Reads one page of the list; returns the cursor of the next page, if it is needed. */
  read(page: unknown, cursor: unknown): Outcome<string | undefined, typeof NO_LIST> {
    const { tools, nextCursor, ttlMs } = Array.isArray(page) ? { tools: page } : toMap(page)
    if (tools != null && !Array.isArray(tools)) {
      if (this.pages === 0) return fail(NO_LIST)
      this.stop(
        `page ${this.pages + 1} of its tool list: tools must be a list, not ${kindOf(tools)}`,
      )
      return ok(undefined)
    }
    this.pages += 1
    if (this.pages === 1 && typeof ttlMs === 'number') this.ttlMs = ttlMs
    if (tools == null) this.#ofList.push(ofList(`page ${this.pages} of its tool list has no tools`))
    if (typeof cursor === 'string') this.#cursors.add(cursor)
    for (const raw of tools ?? []) if (!this.#take(raw)) break
    return ok(this.stopped ? undefined : this.#next(nextCursor))
  }

  /** Stops reading the list and records the reason as a finding. */
  stop(reason: string): void {
    if (this.stopped) return
    this.stopped = true
    this.#ofList.push(ofList(`${reason}; the ${this.tools.size} tools listed before are used`))
  }

  /** Records the repairs made to the JSON of the next page. */
  addMends(mends: readonly string[]): void {
    if (mends.length === 0) return
    const page = `page ${this.pages + 1} of its tool list`
    this.#ofList.push(ofList(`${page} is invalid JSON and was repaired: ${mends.join('; ')}`))
  }

  leaveOut(name: string, reason: string): void {
    this.tools.delete(name)
    this.#leftOut.add({ tool: name, left_out: true, message: reason })
  }

  #take(raw: unknown): boolean {
    this.#entries += 1
    const verdict = judgeTool(raw, this.#entries)
    if (!verdict.ok) {
      this.#leftOut.add(verdict.error)
      return true
    }
    const { tool, mends } = verdict.value
    if (this.tools.has(tool.name)) {
      this.#repeated += 1
      return true
    }
    if (this.tools.size >= LIMITS.tools_per_server) {
      this.stop(`it lists more than ${LIMITS.tools_per_server} tools`)
      return false
    }
    this.length += JSON.stringify(tool).length
    if (this.length > LIMITS.tool_list_bytes) {
      this.stop(`its tool list is longer than ${LIMITS.tool_list_bytes} bytes`)
      return false
    }
    this.tools.set(tool.name, tool)
    if (mends.length > 0) {
      const message = `the tool ${quoteText(tool.name, NAME_BYTES)}: ${mends.join('; ')}`
      this.#repairedTools.add({ tool: tool.name, left_out: false, message })
    }
    return true
  }

  #next(cursor: unknown): string | undefined {
    if (cursor == null || cursor === '' || cursor === false) return undefined
    const next = typeof cursor === 'number' ? String(cursor) : cursor
    if (typeof next !== 'string')
      this.stop(`the next cursor of its tool list is ${kindOf(next)}, not a string`)
    else if (this.#cursors.has(next))
      this.stop('its tool list does not end because a cursor repeats')
    else if (this.pages >= LIMITS.tool_list_pages) {
      this.stop(`its tool list does not end within ${LIMITS.tool_list_pages} pages`)
    } else return next
    return undefined
  }
}

/** Findings of one kind, up to a limit; further findings are only counted. */
class FindingList {
  readonly #kind: string
  readonly #findings: ListFinding[] = []
  #more = 0

  constructor(kind: string) {
    this.#kind = kind
  }

  add(finding: ListFinding): void {
    if (this.#findings.length < LIMITS.tool_findings) this.#findings.push(finding)
    else this.#more += 1
  }

  get findings(): readonly ListFinding[] {
    return this.#more === 0
      ? this.#findings
      : [...this.#findings, ofList(`${this.#more} more ${this.#kind}`)]
  }
}

const NAME_BYTES = 80

const ofList = (message: string): ListFinding => ({ tool: null, left_out: false, message })

const toMap = (value: unknown): Readonly<Record<string, unknown>> => (isMap(value) ? value : {})

const walks = new Map<number, ToolWalk>()
let last = 0

/** Returns the page walk of a request, and the request parameters without the walk's key. */
export function walkOf(params: Readonly<Record<string, unknown>> | undefined): {
  readonly walk: ToolWalk
  readonly params?: Readonly<Record<string, unknown>>
} {
  const { [WALK]: id, ...meta } = toMap(params?._meta)
  const walk = walks.get(Number(id))
  // The library also requests pages without a walk; a separate limit applies to these.
  if (!params || !walk) return { walk: new ToolWalk() }
  const { _meta, ...otherParams } = params
  return {
    walk,
    params: Object.keys(meta).length === 0 ? otherParams : { ...otherParams, _meta: meta },
  }
}

/** Converts a page of tools to the form that the library accepts. */
export function readPage(
  walk: ToolWalk,
  cursor: unknown,
  page: unknown,
  mends: readonly string[],
): Outcome<object, typeof NO_LIST> {
  const countBefore = walk.tools.size
  walk.addMends(mends)
  const next = walk.read(page, cursor)
  if (!next.ok) return next
  const tools = [...walk.tools.values()].slice(countBefore)
  return ok({
    ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    tools: tools.map(({ name, input_schema }) => ({ name, inputSchema: input_schema })),
    ...(next.value === undefined ? {} : { nextCursor: next.value }),
  })
}

/**
 * Lists the tools of a server; returns undefined if the server has no tools. Rejects if the first
 * page is unreadable.
 */
export async function listTools(
  client: Client,
  time: Deadline,
  options: {
    readonly timeout: number
    /** Returns why a page is unreadable; undefined if the whole list must be read again. */
    readonly reason: (error: unknown) => string | undefined
  },
): Promise<ToolWalk | undefined> {
  const walk = new ToolWalk()
  last += 1
  const id = last
  walks.set(id, walk)
  try {
    const request = { timeout: options.timeout, signal: time.signal, cacheMode: 'refresh' as const }
    const { tools } = await time.race(client.listTools({ _meta: { [WALK]: id } }, request))
    const names = new Set(tools.map(({ name }) => name))
    for (const name of walk.tools.keys()) {
      if (!names.has(name))
        walk.leaveOut(name, `the tool ${quoteText(name, NAME_BYTES)}: ${HEADERS}`)
    }
  } catch (error) {
    const isUnknown = error instanceof ProtocolError && error.code === METHOD_NOT_FOUND
    if (walk.pages === 0 && isUnknown) return undefined
    const reason = options.reason(error)
    if (walk.pages === 0 || reason === undefined) throw error
    walk.isPart = true
    walk.stop(`page ${walk.pages + 1} of its tool list could not be read: ${reason}`)
  } finally {
    walks.delete(id)
  }
  return walk
}

const HEADERS = 'the x-mcp-header members of its inputSchema are invalid'
