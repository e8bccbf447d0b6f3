/**
 * Tool lists of servers, by tenant and configuration. A list is cached for this and other processes
 * for the server's `ttlMs`, or for a few minutes by default. A list is dropped when the server
 * reports a change, does not know a listed tool, or the configuration is reloaded.
 */

import { LRUCache } from 'lru-cache'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { ok } from '../../lib/outcome.ts'
import type { ToolListing } from '../../ports/world.ts'
import type { McpOptions } from './types.ts'

/** Tool list of a server, as received. */
export interface ListAnswer {
  readonly listing: ToolListing
  /** Length of the serialized tool list, in characters. */
  readonly length: number
  /** Lifetime of the tool list as declared by the server, in milliseconds. */
  readonly ttlMs?: number | undefined
}

/** Maximum total length of the cached lists, in characters. */
const LISTS_LENGTH = 8 * 1_048_576
/** Maximum number of remembered keys of lists dropped for all processes and not fetched since. */
const MAX_DROPPED = 1_000

export class ListCache {
  readonly #options: Pick<McpOptions, 'listMs' | 'shared'>
  readonly #lists = new LRUCache<string, Promise<ToolListing>>({ maxSize: LISTS_LENGTH })
  readonly #droppedKeys = new LRUCache<string, true>({ max: MAX_DROPPED })

  constructor(options: Pick<McpOptions, 'listMs' | 'shared'>) {
    this.#options = options
  }

  /**
   * Returns the list cached under the key, and fetches it if missing. Concurrent callers share one
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

  /** Drops the list for all processes; repeated notices from a server cost only one deletion. */
  drop(key: string): void {
    this.#lists.delete(key)
    if (this.#droppedKeys.has(key)) return
    this.#droppedKeys.set(key, true)
    // The deletion is not awaited, because a failed deletion leaves a stale list for at most a few
    // minutes.
    void this.#options.shared?.drop(key)
  }

  /** Drops all lists of the tenant, in this process only. */
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
    // A list that was dropped while it was requested is not cached.
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
    // The old entry is deleted first, because the cache accepts a new size only for a new entry.
    this.#lists.delete(key)
    this.#lists.set(key, listing, { ttl, size })
    return true
  }
}

const USUAL_MS = LIMITS.tool_list_seconds * 1_000
const MOST_MS = LIMITS.tool_list_seconds_max * 1_000
