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
export interface Answered {
  readonly listing: ToolListing
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
  readonly #lists = new LRUCache<string, Promise<ToolListing>>({ maxSize: LISTS_LENGTH })
  readonly #dropped = new LRUCache<string, true>({ max: DROPPED })

  constructor(options: Pick<McpOptions, 'listMs' | 'shared'>) {
    this.#options = options
  }

  /**
   * The list of that key, requested when it is not cached. Concurrent callers wait for the same
   * request.
   */
  async get(key: string, server: ServerEntry, ask: () => Promise<Answered>): Promise<ToolListing> {
    const known = this.#lists.get(key)
    if (known) return known
    const asked: Promise<ToolListing> = this.#asked(key, server, ask, () => asked)
    this.#lists.set(key, asked, { size: 1 })
    asked.catch(() => this.#forgetOne(key, asked))
    return asked
  }

  /** For all processes. A server that says it again and again costs one deletion. */
  drop(key: string): void {
    this.#lists.delete(key)
    if (this.#dropped.has(key)) return
    this.#dropped.set(key, true)
    // Not awaited: a list that stays is used for some minutes.
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
    own: () => Promise<ToolListing>,
  ): Promise<ToolListing> {
    const shared = transport === 'stdio' ? undefined : this.#options.shared
    const known = await shared?.get(key)
    if (known) {
      this.#keep(key, own(), known.length, known.leftMs)
      return { ...ok(known.tools), ...(known.findings ? { findings: known.findings } : {}) }
    }
    const { listing, length, ttlMs = this.#options.listMs ?? USUAL_MS } = await ask()
    const ttl = Math.min(ttlMs, MOST_MS)
    if (!listing.ok || ttl <= 0) {
      this.#forgetOne(key, own())
      return listing
    }
    // What was dropped while it was asked for is not kept.
    if (this.#keep(key, own(), length, ttl)) {
      this.#dropped.delete(key)
      await shared?.put(key, { tools: listing.value, findings: listing.findings }, ttl)
    }
    return listing
  }

  #forgetOne(key: string, asked: Promise<ToolListing>): void {
    if (this.#lists.peek(key) === asked) this.#lists.delete(key)
  }

  #keep(key: string, asked: Promise<ToolListing>, size: number, ttl: number): boolean {
    if (this.#lists.peek(key) !== asked) return false
    // The cache takes a new size with a new entry only.
    this.#lists.delete(key)
    this.#lists.set(key, asked, { ttl, size })
    return true
  }
}

const USUAL_MS = LIMITS.tool_list_seconds * 1_000
const MOST_MS = LIMITS.tool_list_seconds_max * 1_000
