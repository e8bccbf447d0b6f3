/**
 * Pages of a list. A cursor is the place of the last item, sealed by the deployment and bound to
 * the list (and so to the tenant): it cannot be read, forged or used on another list.
 */

import type { World } from '../ports/world.ts'
import { refuse } from './problem.ts'

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

const CURSOR = /^[A-Za-z0-9_.:=+/-]{1,1000}$/

/** `shape` makes an item of a row's parsed body. */
export async function page<T>(
  world: World,
  under: string,
  query: { limit: number; cursor?: string | undefined },
  shape: (body: unknown) => T,
): Promise<Page<T>> {
  const before = await openCursor(world, under, query.cursor)
  const rows = await world.store.list(under, before, query.limit + 1)
  const shown = rows.slice(0, query.limit)
  const has_more = rows.length > query.limit
  const next_cursor = has_more ? await sealCursor(world, under, shown.at(-1)!.at) : null
  return { data: shown.map(({ body }) => shape(JSON.parse(body))), next_cursor, has_more }
}

/** A page that was left for a day begins anew: what it continued has changed. */
const CURSOR_MS = 24 * 3_600_000

/** `lasting`: the place in a log, which never changes. */
export function sealCursor(
  world: World,
  list: string,
  at: string,
  lasting = false,
): Promise<string> {
  const until = lasting ? '' : String(world.clock.now() + CURSOR_MS)
  return world.secrets.seal(`${until} ${at}`, `cursor ${list}`)
}

export async function openCursor(
  world: World,
  list: string,
  cursor: string | undefined,
): Promise<string | undefined> {
  if (cursor === undefined) return undefined
  const text = CURSOR.test(cursor) ? await world.secrets.open(cursor, `cursor ${list}`) : undefined
  const blank = text?.indexOf(' ') ?? -1
  if (text === undefined || blank < 0) {
    throw refuse('invalid_cursor', 'The cursor is not one of this list.')
  }
  const until = text.slice(0, blank)
  if (until !== '' && world.clock.now() > Number(until)) {
    throw refuse('invalid_cursor', 'The cursor has expired after 24 hours: begin the list anew.')
  }
  return text.slice(blank + 1)
}
