/**
 * Tool lists of servers, by tenant and configuration: cached here and for other processes as long
 * as the server says (`ttlMs`), else for some minutes. Dropped when the server says that its list
 * has changed, when it does not know a tool of it, and on a reload.
 */

import { LRUCache } from 'lru-cache'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { ok } from '../../lib/outcome.ts'
import type { ToolListing } from '../../ports/world.ts'
import type { McpOptions } from './types.ts'

/** A server's answer. */
export interface ListAnswer {
  readonly listing: ToolListing
  /** Characters of the list as text. */
  readonly length: number
  /** Lifetime as declared by the server. */
  readonly ttlMs?: number | undefined
}

/** Characters of lists as text. */
const LISTS_LENGTH = 8 * 1_048_576
/** Lists that were dropped for all processes and not made again since. */
const MAX_DROPPED = 1_000

export class ListCache {
  readonly #options: Pick<McpOptions, 'listMs' | 'shared'>
  readonly #lists = new LRUCache<string, Promise<ToolListing>>({ maxSize: LISTS_LENGTH })
  readonly #droppedKeys = new LRUCache<string, true>({ max: MAX_DROPPED })

  constructor(options: Pick<McpOptions, 'listMs' | 'shared'>) {
    this.#options = options
  }

  /**
   * The list of that key, requested when it is not cached. Concurrent callers wait for the same
   * request.
   */
  async get(
    key: string,
    server: ServerEntry,
    ask: () => Promise<ListAnswer>,
  ): Promise<ToolListing> {
    const cached = this.#lists.get(key)
    if (cached) return cached
    const listing: Promise<ToolListing> = this.#fetchList(key, server, ask, () => listing)
    this.#lists.set(key, listing, { size: 1 })
    listing.catch(() => this.#forgetOne(key, listing))
    return listing
  }

  /** For all processes. A server that says it again and again costs one deletion. */
  drop(key: string): void {
    this.#lists.delete(key)
    if (this.#droppedKeys.has(key)) return
    this.#droppedKeys.set(key, true)
    // Not awaited: a list that stays is used for some minutes.
    void this.#options.shared?.drop(key)
  }

  /** In this process alone. */
  forget(tenant: string): void {
    for (const key of [...this.#lists.keys()])
      if (key.startsWith(`${tenant}\n`)) this.#lists.delete(key)
  }

  async #fetchList(
    key: string,
    { transport }: ServerEntry,
    ask: () => Promise<ListAnswer>,
    getListing: () => Promise<ToolListing>,
  ): Promise<ToolListing> {
    const shared = transport === 'stdio' ? undefined : this.#options.shared
    const stored = await shared?.get(key)
    if (stored) {
      this.#keep(key, getListing(), stored.length, stored.leftMs)
      return { ...ok(stored.tools), ...(stored.findings ? { findings: stored.findings } : {}) }
    }
    const { listing, length, ttlMs = this.#options.listMs ?? USUAL_MS } = await ask()
    const ttl = Math.min(ttlMs, MOST_MS)
    if (!listing.ok || ttl <= 0) {
      this.#forgetOne(key, getListing())
      return listing
    }
    // A list that was dropped during its request is not cached.
    if (this.#keep(key, getListing(), length, ttl)) {
      this.#droppedKeys.delete(key)
      await shared?.put(key, { tools: listing.value, findings: listing.findings }, ttl)
    }
    return listing
  }

  #forgetOne(key: string, listing: Promise<ToolListing>): void {
    if (this.#lists.peek(key) === listing) this.#lists.delete(key)
  }

  #keep(key: string, listing: Promise<ToolListing>, size: number, ttl: number): boolean {
    if (this.#lists.peek(key) !== listing) return false
    // The cache accepts a new size only with a new entry.
    this.#lists.delete(key)
    this.#lists.set(key, listing, { ttl, size })
    return true
  }
}

const USUAL_MS = LIMITS.tool_list_seconds * 1_000
const MOST_MS = LIMITS.tool_list_seconds_max * 1_000
