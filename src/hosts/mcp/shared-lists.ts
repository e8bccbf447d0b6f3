/**
 * Tool lists that processes share in the store, so that a new process contacts no server. Lists are
 * sealed for their tenant, identified by the digest of the server's configuration (names of
 * secrets, never values), and valid for the time that the server states. Best effort: an unreadable
 * list is fetched again. Covers HTTP servers only, because a local program may differ by machine.
 *
 *     <tenant>/mcp/<digest>   l/<n>: parts of the sealed list, listed under <tenant>/mcp-lists
 */

import { LIMITS } from '../../core/limits.ts'
import { byteLength } from '../../lib/bytes.ts'
import type { Clock, ListFinding, RemoteTool, Secrets, Store, Write } from '../../ports/world.ts'

export interface SharedLists {
  get(key: string): Promise<SharedList | undefined>
  put(key: string, list: KnownList, ttlMs: number): Promise<void>
  drop(key: string): Promise<void>
  /** Deletes all shared tool lists of a tenant. */
  forget(tenant: string): Promise<void>
}
interface KnownList {
  readonly tools: readonly RemoteTool[]
  /** Findings about the tools in the list; absent if there are none. */
  readonly findings?: readonly ListFinding[] | undefined
}
interface SharedList extends KnownList {
  /** Remaining time for which the list is valid, in milliseconds. */
  readonly leftMs: number
  /** Length of the serialized tool list, in characters. */
  readonly length: number
}

interface Parts {
  readonly store: Store
  readonly secrets: Pick<Secrets, 'seal' | 'open'>
  readonly clock: Pick<Clock, 'now'>
  readonly onError: (error: unknown) => void
}
interface Stored extends KnownList {
  /** Expiry of the stored list, in milliseconds since 1970. */
  readonly until: number
}

/** Maximum size of one row of a stored list, in bytes, below the 128 KiB row limit of a store. */
const PIECE = 98_304
/** Number of lists that are deleted per page of a tenant's lists. */
const PAGE = 100
const ROW = 'l/'

export function sharedLists({ store, secrets, clock, onError }: Parts): SharedLists {
  const trying = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act()
    } catch (error) {
      onError(error)
      return undefined
    }
  }
  return {
    get: (key) =>
      trying(async () => {
        const { partition } = placeOf(key)
        const sealed = joined(await store.read(partition))
        const text = sealed && (await secrets.open(sealed, partition))
        if (!text) return undefined
        const { until, ...list } = JSON.parse(text) as Stored
        const leftMs = until - clock.now()
        return leftMs > 0 ? { ...list, leftMs, length: text.length } : undefined
      }),
    put: async (key, list, ttlMs) =>
      void (await trying(async () => {
        const { tenant, partition } = placeOf(key)
        const until = clock.now() + ttlMs
        const text = JSON.stringify({ until, ...list } satisfies Stored)
        if (byteLength(text) > LIMITS.shared_list_bytes) return
        const sealed = await secrets.seal(text, partition)
        await store.commit(partition, rowsOf({ tenant, partition, sealed, until }))
      })),
    drop: async (key) => void (await trying(() => store.drop(placeOf(key).partition))),
    forget: async (tenant) =>
      void (await trying(async () => {
        let beforeKey: string | undefined
        do {
          const rows = await store.list(listOf(tenant), beforeKey, PAGE)
          await Promise.all(rows.map(({ partition }) => store.drop(partition)))
          beforeKey = rows.length < PAGE ? undefined : rows.at(-1)?.at
        } while (beforeKey !== undefined)
      })),
  }
}

/** Splits a key from `serverKey` at the newline into tenant and configuration digest. */
function placeOf(key: string): { readonly tenant: string; readonly partition: string } {
  const [tenant = '', digest = ''] = key.split('\n')
  return { tenant, partition: `${tenant}/mcp/${digest}` }
}

const listOf = (tenant: string): string => `${tenant}/mcp-lists`

interface Sealed {
  readonly tenant: string
  readonly partition: string
  readonly sealed: string
  readonly until: number
}

/**
 * Splits a sealed list into rows. The first row contains the number of rows, because rows of an
 * older, longer list may remain.
 */
function rowsOf({ tenant, partition, sealed, until }: Sealed): Write[] {
  const count = Math.ceil(sealed.length / PIECE)
  const listing = { under: listOf(tenant), at: partition }
  return Array.from({ length: count }, (_, index) => {
    const piece = sealed.slice(index * PIECE, (index + 1) * PIECE)
    return {
      op: 'put',
      key: `${ROW}${String(index).padStart(3, '0')}`,
      body: index === 0 ? `${count} ${piece}` : piece,
      expect: 'any',
      expiresAt: until,
      ...(index === 0 ? { listed: listing } : {}),
    }
  })
}

/**
 * Joins the rows of a list; returns undefined if a row is missing. The seal verifies that the rows
 * belong together.
 */
function joined(rows: readonly { readonly key: string; readonly body: string }[]) {
  const pieces = rows.filter(({ key }) => key.startsWith(ROW)).map(({ body }) => body)
  const [first = '', ...tail] = pieces
  const [, count, piece] = /^(\d+) (.*)$/s.exec(first) ?? []
  if (count === undefined || pieces.length < Number(count)) return undefined
  return [piece, ...tail.slice(0, Number(count) - 1)].join('')
}
