/**
 * Serves the events of a run or a fan-out as server-sent events or JSON pages, selected by
 * `Accept`.
 */

import { isTerminal } from '../../core/run/state/state.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { FanoutStreamData, RunStreamData } from '../schemas/events/deltas.ts'
import { Event, FanoutEvent } from '../schemas/events/events.ts'
import { list } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { answerEvents, EVENTS_DESCRIPTION, EVENTS_HEADERS, EVENTS_QUERY } from '../stream/follow.ts'
import { untilTerminal } from '../stream/wait.ts'
import { foundFanout, namedFanout } from './fanouts.ts'
import { pathPartition } from './run-reads.ts'

const routeBase = {
  method: 'get',
  description: EVENTS_DESCRIPTION,
  scope: 'runs:read',
  query: EVENTS_QUERY,
  headers: EVENTS_HEADERS,
} as const
const tooMany = () =>
  refuse(
    'invalid_query',
    '`include=subagents` does not support open fan-outs; follow their page fan-outs, ' +
      'which `page.started` events identify.',
  )
const none = { description: 'No further events will follow' }

export function eventRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listRunEvents',
      ...routeBase,
      path: '/v1/runs/{id}/events',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: "List or stream a run's events",
      answers: {
        200: {
          description: 'A page of events, oldest first, or a stream of them',
          schema: list(Event),
          stream: RunStreamData,
        },
        204: none,
      },
    },
    async ({ c, world, tenant, query }) => {
      const partition = pathPartition(c, tenant)
      const { head, state } = await untilTerminal(world, partition, 0)
      const log = { partition, seq: head.seq, over: isTerminal(state) }
      return answerEvents(c, world, log, query)
    },
  )
  route(
    api,
    {
      id: 'listFanoutEvents',
      ...routeBase,
      path: '/v1/fanouts/{id}/events',
      params: { id: PATH_ID.fanout },
      tag: 'Fan-outs',
      summary: "List or stream a fan-out's events",
      answers: {
        200: {
          description: 'A page of events, oldest first, or a stream of them',
          schema: list(FanoutEvent),
          stream: FanoutStreamData,
        },
        204: none,
      },
    },
    async ({ c, world, tenant, query }) => {
      const partition = namedFanout(c, tenant)
      const { head, state } = await foundFanout(world, partition)
      if (query.include === 'subagents' && state.spec?.open) throw tooMany()
      const log = { partition, seq: head.seq, over: state.ended_at !== null }
      return answerEvents(c, world, log, query)
    },
  )
}
