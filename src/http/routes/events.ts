/** The events of a run: server-sent, or JSON pages, by `Accept`. */

import * as z from 'zod'
import { eventOf } from '../../core/run/event.ts'
import { isTerminal } from '../../core/run/state.ts'
import { factsAfter } from '../../engine/log.ts'
import { parsePartition } from '../../engine/names.ts'
import type { World } from '../../ports/world.ts'
import { openCursor } from '../page.ts'
import { refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list } from '../schemas/common.ts'
import { Event } from '../schemas/events.ts'
import { streamRun, treeCursors } from '../stream.ts'
import { untilTerminal } from '../wait.ts'
import { named } from './runs.ts'

const SEQ = /^(?:0|[1-9]\d{0,8})$/

export function eventRoutes(api: Api): void {
  route(
    api,
    {
      method: 'get',
      path: '/v1/runs/{id}/events',
      params: { id: 'A run id' },
      tag: 'Runs',
      summary: "A run's events",
      description:
        'With `Accept: text/event-stream` they are sent as they happen; `Last-Event-ID` (or ' +
        '`after`; the header wins) resumes after that seq. After the terminal event the stream ' +
        'closes, and a reconnect is answered with 204. A parked run is told by `retry:` to come ' +
        'again. `include=subagents` (streams only) sends those of subagents too: its ids are ' +
        'opaque, and who resumes may get events of live subagents again, known by (run, seq). ' +
        'Besides the events there are `assistant.delta` and `subagent.started`, without an id. ' +
        'Without that `Accept`, a JSON page.',
      scope: 'runs:read',
      query: z.strictObject({
        after: z.string().optional().describe('Only events after this seq'),
        limit: z.coerce.number().int().min(1).max(100).default(100),
        include: z.enum(['subagents']).optional().describe('Streams only'),
      }),
      headers: z.object({ 'last-event-id': z.string().optional() }),
      answers: {
        200: { description: 'Events, oldest first', schema: list(Event) },
        204: { description: 'There will be no more' },
      },
    },
    async ({ c, world, tenant, query }) => {
      const partition = named(c, tenant)
      const run = await untilTerminal(world, partition, 0)
      const streams = c.req.header('accept')?.includes('text/event-stream') === true
      const tree = query.include === 'subagents'
      if (tree && !streams) {
        throw refuse('invalid_query', '`include=subagents` goes with `Accept: text/event-stream`.')
      }
      const given = c.req.header('last-event-id') ?? query.after
      const after = tree ? await placeOf(world, partition, given) : seqOf(given ?? '0')
      if (after > run.head.seq) throw refuse('event_ahead', `The log ends at ${run.head.seq}.`)
      if (streams) {
        const over = isTerminal(run.state) && after === run.head.seq
        return over ? c.body(null, 204) : streamRun(world, partition, after, { tree })
      }
      const facts = factsAfter(await world.store.read(partition), after)
      const shown = facts.slice(0, query.limit)
      const has_more = facts.length > shown.length
      const { id } = parsePartition(partition)
      const next_cursor = has_more ? String(shown.at(-1)!.seq) : null
      return c.json({ data: shown.map((fact) => eventOf(id, fact)), next_cursor, has_more })
    },
  )
}

/** The place in the root's log that an id of a tree's stream names. */
async function placeOf(world: World, partition: string, id: string | undefined): Promise<number> {
  return Number((await openCursor(world, treeCursors(partition), id)) ?? 0)
}

function seqOf(text: string): number {
  if (!SEQ.test(text)) throw refuse('invalid_header', 'An event id is a whole number from 0.')
  return Number(text)
}
