/**
 * Tool lists of servers, by tenant and configuration: kept here and for other processes as long as
 * the server says (`ttlMs`), else for some minutes. Dropped when the server says that its list has
 * changed, when it does not know a tool of it, and when somebody reloads.
 */

import { LRUCache } from 'lru-cache'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Outcome, ok } from '../../lib/outcome.ts'
import type { RemoteTool } from '../../ports/world.ts'
import type { McpOptions } from './types.ts'

export type Listing = Outcome<readonly RemoteTool[], string>

/** A server's answer. */
export interface Answered {
  readonly listing: Listing
  /** Characters of the list as text. */
  readonly length: number
  /** How long the server says that it holds. */
  readonly ttlMs?: number | undefined
}

/** Characters of lists as text. */
const LISTS_LENGTH = 8 * 1_048_576
/** Lists that were dropped for all processes and not made again since. */
const DROPPED = 1_000

export class ListCache {
  readonly #options: Pick<McpOptions, 'listMs' | 'shared'>
  readonly #lists = new LRUCache<string, Promise<Listing>>({ maxSize: LISTS_LENGTH })
  readonly #dropped = new LRUCache<string, true>({ max: DROPPED })

  constructor(options: Pick<McpOptions, 'listMs' | 'shared'>) {
    this.#options = options
  }

  /** The list of that key, asked for when nobody has it. Those who come meanwhile wait with it. */
  async get(key: string, server: ServerEntry, ask: () => Promise<Answered>): Promise<Listing> {
    const known = this.#lists.get(key)
    if (known) return known
    const asked: Promise<Listing> = this.#asked(key, server, ask, () => asked)
    this.#lists.set(key, asked, { size: 1 })
    let isKept = false
    try {
      const listing = await asked
      isKept = listing.ok
      return listing
    } finally {
      if (!isKept && this.#lists.peek(key) === asked) this.#lists.delete(key)
    }
  }

  /** Whether it can be had without asking a server that has not said that its list is void. */
  isCurrent(key: string): boolean {
    return this.#lists.has(key) || this.#dropped.has(key)
  }

  /** For all processes. A server that says it again and again costs one deletion. */
  drop(key: string): void {
    this.#lists.delete(key)
    if (this.#dropped.has(key)) return
    this.#dropped.set(key, true)
    // Nobody waits for it: a list that stays is believed for some minutes.
    void this.#options.shared?.drop(key)
  }

  /** In this process alone. */
  forget(tenant: string): void {
    for (const key of [...this.#lists.keys()])
      if (key.startsWith(`${tenant}\n`)) this.#lists.delete(key)
  }

  async #asked(
    key: string,
    { transport }: ServerEntry,
    ask: () => Promise<Answered>,
    own: () => Promise<Listing>,
  ): Promise<Listing> {
    const shared = transport === 'stdio' ? undefined : this.#options.shared
    // The one of others may not have been dropped yet.
    const known = this.#dropped.has(key) ? undefined : await shared?.get(key)
    if (known) {
      this.#keep(key, own(), known.length, known.leftMs)
      return ok(known.tools)
    }
    const { listing, length, ttlMs = this.#options.listMs ?? USUAL_MS } = await ask()
    const ttl = Math.min(ttlMs, MOST_MS)
    if (!listing.ok || ttl <= 0) return listing
    // What was dropped while it was asked for is not kept.
    if (this.#keep(key, own(), length, ttl)) {
      this.#dropped.delete(key)
      await shared?.put(key, listing.value, ttl)
    }
    return listing
  }

  #keep(key: string, asked: Promise<Listing>, size: number, ttl: number): boolean {
    if (this.#lists.peek(key) !== asked) return false
    // The cache takes a new size with a new entry only.
    this.#lists.delete(key)
    this.#lists.set(key, asked, { ttl, size })
    return true
  }
}

const USUAL_MS = LIMITS.tool_list_seconds * 1_000
const MOST_MS = LIMITS.tool_list_seconds_max * 1_000
