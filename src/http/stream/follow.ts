/**
 * Returns the events of a run or a fan-out as server-sent events or JSON pages, selected by
 * `Accept`. `Last-Event-ID` (or `after`; the header takes precedence) names the last event that the
 * client has.
 */

import type { Context } from 'hono'
import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { parsePartition } from '../../engine/partition/keys.ts'
import { factsAfter } from '../../engine/partition/log.ts'
import { type Page, sealCursor } from '../../engine/partition/page.ts'
import type { World } from '../../ports/world.ts'
import { openCursor } from '../request/page.ts'
import { refuse } from '../request/problem.ts'
import type { Env } from '../request/route.ts'
import { eventView, type LogFact } from '../views/event-view.ts'
import { streamLog, treeCursors } from './stream.ts'

export const EVENTS_QUERY = z.strictObject({
  after: z
    .string()
    .optional()
    .describe('Sequence number of the last event to skip. Defaults to 0, which returns all events'),
  cursor: z
    .string()
    .optional()
    .describe('Cursor for the next page: `next_cursor` of the previous page'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.page)
    .default(LIMITS.page)
    .describe('Maximum number of events in a JSON page'),
  include: z
    .enum(['subagents'])
    .optional()
    .describe(
      "Additional events to stream: `subagents` includes all descendants' events. Applies " +
        'to streams only',
    ),
})
export const EVENTS_HEADERS = z.object({
  'last-event-id': z
    .string()
    .optional()
    .describe(
      'ID of the last event that you received; the response continues after this event. ' +
        'Takes precedence over `after`',
    ),
})

export const EVENTS_DESCRIPTION =
  'With `Accept: text/event-stream`, events are streamed as they happen; ' +
  '`Last-Event-ID` (or `after`; the header takes precedence) resumes after that event. ' +
  'The stream closes after the terminal event, and a reconnect then returns 204. While ' +
  'the run is parked, `retry:` tells the client when to reconnect. `include=subagents` ' +
  '(streams only) includes subagent events. IDs are then opaque, and a resumed stream ' +
  'can repeat events from live subagents, identified by run and `seq`; the terminal ' +
  'event is sent after all descendants have ended. Streams also contain ' +
  '`assistant.delta` and `subagent.started`, which have no ID. Without this `Accept` ' +
  'header, the response is a JSON page.'

/** Event log to read: its partition, its length, and whether it has ended. */
export interface Log {
  readonly partition: string
  readonly seq: number
  readonly over: boolean
}

/**
 * Returns the events, or status 204 if no more events will follow; rejects with `invalid_header`,
 * `invalid_cursor`, or `event_ahead`.
 */
export async function answerEvents(
  c: Context<Env>,
  world: World,
  { partition, seq, over }: Log,
  query: z.output<typeof EVENTS_QUERY>,
): Promise<Response> {
  const streams = c.req.header('accept')?.includes('text/event-stream') === true
  const tree = query.include === 'subagents'
  if (tree && !streams) {
    throw refuse('invalid_query', '`include=subagents` requires `Accept: text/event-stream`.')
  }
  const { cursor } = query
  if (cursor !== undefined && (streams || query.after !== undefined)) {
    throw refuse(
      'invalid_query',
      '`cursor` requires JSON pages and cannot be combined with `after`.',
    )
  }
  if (cursor !== undefined) {
    const place = await openCursor(world, pageCursors(partition), cursor)
    return c.json(await eventPage(world, partition, Number(place), query.limit))
  }
  const last = c.req.header('last-event-id')
  const position = last ?? query.after
  const code = last === undefined ? 'invalid_query' : 'invalid_header'
  const after = tree ? await placeOf(world, partition, position) : seqOf(position ?? '0', code)
  if (after > seq) throw refuse('event_ahead', `The log ends at event ${seq}.`)
  if (!streams) return c.json(await eventPage(world, partition, after, query.limit))
  return over && after === seq ? c.body(null, 204) : streamLog(world, partition, after, { tree })
}

/** Returns the list name to which the cursors of a log's pages are bound. */
const pageCursors = (partition: string): string => `pages ${partition}`

async function eventPage(
  world: World,
  partition: string,
  after: number,
  limit: number,
): Promise<Page<object>> {
  const facts = factsAfter<LogFact>(await world.store.read(partition), after)
  const pageFacts = facts.slice(0, limit)
  const has_more = facts.length > pageFacts.length
  const { id } = parsePartition(partition)
  const place = String(pageFacts.at(-1)?.seq)
  const list = pageCursors(partition)
  const next_cursor = has_more ? await sealCursor(world, list, place, true) : null
  return { data: pageFacts.map((fact) => eventView(id, fact)), next_cursor, has_more }
}

/** Returns the position in the root's log for an event ID of a stream with subagents. */
async function placeOf(world: World, partition: string, id: string | undefined): Promise<number> {
  return Number((await openCursor(world, treeCursors(partition), id)) ?? 0)
}

const SEQ = /^(?:0|[1-9]\d{0,8})$/

function seqOf(text: string, code: 'invalid_query' | 'invalid_header'): number {
  if (!SEQ.test(text))
    throw refuse(code, 'The event ID must be an integer greater than or equal to 0.')
  return Number(text)
}
