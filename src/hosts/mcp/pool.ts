/**
 * Pools open connections to MCP servers, one per tenant and server configuration. A changed
 * configuration opens another connection, and calls on the old connection finish. Idle connections
 * are closed after a time-out, so an unused server costs nothing.
 */

import type { Client } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { Deadline, Ended } from '../outbound/deadline.ts'
import { type Connecting, connectServer } from './connect.ts'
import { insertedDigest } from './expand-server.ts'
import { serverKey } from './server-key.ts'
import { startupMs } from './time.ts'

interface Pooled {
  readonly tenant: string
  /** Digest of the secret values in the connection's configuration. */
  readonly inserted: string
  readonly opened: Promise<Client>
  readonly users: Set<symbol>
  /** Deadline for opening the connection. */
  readonly time: Deadline
  timer: NodeJS.Timeout | undefined
  dropped: boolean
}

export class McpPool {
  readonly #world: Connecting
  /**
   * Idle time before a connection is closed, in milliseconds; 0 closes unused connections at once,
   * for platforms whose connections end with the request.
   */
  readonly #idleMs: number
  readonly #onChanged: (key: string) => void
  readonly #open = new Map<string, Pooled>()

  constructor(world: Connecting, idleMs: number, onChanged: (key: string) => void) {
    this.#world = world
    this.#idleMs = idleMs
    this.#onChanged = onChanged
  }

  /**
   * Lends a connected client; rejects if no connection opens within the startup time-out. `release`
   * returns the client to the pool, and `broken` removes it.
   */
  async lend(tenant: string, server: ServerEntry): Promise<Lease> {
    const key = serverKey(tenant, server)
    const inserted = await insertedDigest(tenant, server, this.#world.secrets)
    const pooled = this.#current(key, inserted) ?? this.#start(key, tenant, server, inserted)
    clearTimeout(pooled.timer)
    const user = Symbol(server.name)
    pooled.users.add(user)
    const release = () => {
      pooled.users.delete(user)
      this.#settle(key, pooled)
    }
    try {
      const client = await pooled.opened
      return { client, release, broken: () => this.#drop(key, pooled) }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Closes the tenant's idle connections at once, and used connections when they are returned. */
  forget(tenant: string): void {
    for (const [key, pooled] of this.#open) if (pooled.tenant === tenant) this.#drop(key, pooled)
  }

  /** Resolves when every connection is closed and every local server has exited. */
  async close(): Promise<void> {
    const all = [...this.#open]
    this.#open.clear()
    await Promise.all(
      all.map(async ([, pooled]) => {
        clearTimeout(pooled.timer)
        // Connections that are still opening are not awaited but aborted.
        pooled.time.end(new Ended('aborted', 'the platform is shutting down'))
        await pooled.opened.then((client) => client.close()).catch(() => {})
      }),
    )
  }

  /** Returns the open connection; drops a connection that was opened with other secret values. */
  #current(key: string, inserted: string): Pooled | undefined {
    const pooled = this.#open.get(key)
    if (pooled === undefined || pooled.inserted === inserted) return pooled
    this.#drop(key, pooled)
    return undefined
  }

  #start(key: string, tenant: string, server: ServerEntry, inserted: string): Pooled {
    const time = new Deadline({ totalMs: startupMs(server) })
    const connected = connectServer(tenant, server, this.#world, time.signal)
    const opened = time.race(connected).finally(() => time.close())
    const users = new Set<symbol>()
    const state = { timer: undefined, dropped: false }
    const pooled: Pooled = { tenant, inserted, opened, users, time, ...state }
    this.#open.set(key, pooled)
    const drop = () => this.#drop(key, pooled)
    opened.then((client) => {
      client.onclose = drop
      client.setNotificationHandler('notifications/tools/list_changed', () => this.#onChanged(key))
    }, drop)
    return pooled
  }

  #drop(key: string, pooled: Pooled): void {
    if (this.#open.get(key) === pooled) this.#open.delete(key)
    pooled.dropped = true
    this.#settle(key, pooled)
  }

  #settle(key: string, pooled: Pooled): void {
    if (pooled.users.size > 0) return
    const end = () => {
      if (this.#open.get(key) === pooled) this.#open.delete(key)
      pooled.opened.then((client) => client.close()).catch(() => {})
    }
    clearTimeout(pooled.timer)
    if (pooled.dropped || this.#idleMs === 0) {
      end()
      return
    }
    pooled.timer = setTimeout(end, this.#idleMs)
    pooled.timer.unref?.()
  }
}

export interface Lease {
  readonly client: Client
  release(): void
  broken(): void
}
