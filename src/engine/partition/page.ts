/**
 * Cursors and pages of listings. A cursor is the sealed position of the last item, bound to the
 * list and therefore to the tenant. Clients cannot read or forge a cursor, or use it on another
 * list.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

export interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Returns a page of a listing; `shape` converts a row's body to a list item. */
export async function pageOf<T>(
  world: World,
  under: string,
  { limit, cursor }: PageQuery,
  shape: (body: string) => T,
): Promise<Outcome<Page<T>, Refusal>> {
  const last = await placeOf(world, under, cursor)
  if (!last.ok) return last
  const rows = await world.store.list(under, last.value, limit + 1)
  const page = rows.slice(0, limit)
  const at = rows.length > limit ? page.at(-1)!.at : undefined
  const next_cursor = at === undefined ? null : await sealCursor(world, under, at)
  const data = page.map(({ body }) => shape(body))
  return ok({ data, next_cursor, has_more: next_cursor !== null })
}

/** Lifetime of a cursor in milliseconds. After a day, the list has changed. */
const CURSOR_MS = 24 * 3_600_000

/** Seals a list position as a cursor. A `lasting` cursor is a log position; it never expires. */
export function sealCursor(
  world: World,
  list: string,
  at: string,
  lasting = false,
): Promise<string> {
  const until = lasting ? '' : String(world.clock.now() + CURSOR_MS)
  return world.secrets.seal(`${until} ${at}`, `cursor ${list}`)
}

const CURSOR = /^[A-Za-z0-9_.:=+/-]{1,1000}$/

/** Returns the list position of a cursor; undefined for the beginning. */
export async function placeOf(
  world: World,
  list: string,
  cursor: string | undefined,
): Promise<Outcome<string | undefined, Refusal>> {
  if (cursor === undefined) return ok(undefined)
  const text = CURSOR.test(cursor) ? await world.secrets.open(cursor, `cursor ${list}`) : undefined
  const blank = text?.indexOf(' ') ?? -1
  if (text === undefined || blank < 0) {
    return fail(refusal('invalid_cursor', 'The cursor does not belong to this list.'))
  }
  const until = text.slice(0, blank)
  if (until !== '' && world.clock.now() > Number(until)) {
    const detail = 'The cursor expired after 24 hours; start again from the first page.'
    return fail(refusal('invalid_cursor', detail))
  }
  return ok(text.slice(blank + 1))
}
