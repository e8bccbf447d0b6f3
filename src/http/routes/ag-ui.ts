/** Serves a thread's turns in the AG-UI format. */

import { runPartition } from '../../engine/partition/keys.ts'
import { sessionOfThread } from '../../engine/session/thread.ts'
import { tellAgUi } from '../protocols/ag-ui/encode.ts'
import { startRun } from '../protocols/ag-ui/start.ts'
import { replayHeader } from '../request/idempotency.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { withinToken } from '../request/token-reach.ts'
import { AgUiEvent, AgUiInput } from '../schemas/protocols/ag-ui.ts'
import { EVENTS_HEADERS } from '../stream/follow.ts'
import { streamTurn } from '../turn/follow.ts'

const SEQ = /^[1-9]\d{0,8}$/

export function agUiRoutes(api: Api): void {
  route(
    api,
    {
      id: 'runAgUi',
      method: 'post',
      path: '/v1/ag-ui/{agent}',
      params: { agent: 'ID of the agent' },
      tag: 'AG-UI',
      summary: 'Run an agent (AG-UI)',
      description:
        'Runs one turn of the session that belongs to `threadId`, and returns AG-UI events. ' +
        'The same `runId` with the same body identifies the same turn; with `Last-Event-ID`, ' +
        'the request continues an interrupted stream. A call to a client-side tool ends the ' +
        'turn. To continue the run, send all results as messages with the role `tool`. Tools, ' +
        'context, and system messages in that request are ignored. A question to the user is ' +
        "an interrupt, which `resume` or the user's next message answers. An approval is " +
        'announced by the event `strata.approval.requested` and decided at `/v1/approvals`; ' +
        'the stream continues. In each event, `metadata.strata` contains the run and the ' +
        "position in the run's log, which is also the server-sent event ID.",
      scope: 'runs:write',
      headers: EVENTS_HEADERS,
      body: AgUiInput,
      takesMedia: 'urls',
      ignoresUnknown: true,
      refusals: [409, 410, 429],
      starts: 'run',
      answers: {
        200: {
          description: 'Stream of AG-UI events',
          type: 'text/event-stream',
          schema: AgUiEvent,
          headers: ['Idempotency-Replayed'],
        },
      },
    },
    async ({ c, world, tenant, body, ignored }) => {
      const last = c.req.header('last-event-id')
      if (last !== undefined && !SEQ.test(last))
        throw refuse('invalid_header', 'The event ID must be a positive integer.')
      withinToken(c.get('principal'), sessionOfThread(body.threadId))
      const here = world.attended?.() ?? world
      const started = await startRun(here, tenant, c.req.param('agent') ?? '', body)
      const { threadId, runId } = body
      const { run, turn, replayed } = started
      const headers = replayHeader(replayed)
      const tell = tellAgUi({ threadId, runId }, { after: Number(last ?? 0), ignored })
      return streamTurn(world, runPartition(tenant, run), turn, headers, tell)
    },
  )
}
