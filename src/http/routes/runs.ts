/**
 * Serves runs: create, cancel, delete, and send messages. A request commits and follows the run's
 * log; wakes advance the run (PROTOCOL.md rule 45).
 */

import * as z from 'zod'
import { isTerminal } from '../../core/run/state/state.ts'
import { runLogType } from '../../engine/logs/run.ts'
import { parsePartition, runPartition } from '../../engine/partition/keys.ts'
import { acceptRun } from '../../engine/run/accept.ts'
import { cancelChildren, cancelRun } from '../../engine/run/cancel.ts'
import { readContent } from '../../engine/run/content.ts'
import { deleteEnded } from '../../engine/run/delete.ts'
import { sendMessage } from '../../engine/run/messages.ts'
import { retryRun } from '../../engine/run/retry.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { subjectOf } from '../request/subject.ts'
import { withinToken } from '../request/token-reach.ts'
import { Traceparent } from '../request/traceparent.ts'
import { RunStreamData } from '../schemas/events/deltas.ts'
import { MessageInput, RunInput } from '../schemas/runs/run-input.ts'
import { CancelledRun, CreatedRun, MessageSent, RetriedRun } from '../schemas/runs/runs.ts'
import { CancelInput, DELETING, NoBody } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { streamLog } from '../stream/stream.ts'
import { untilTerminal } from '../stream/wait.ts'
import { readShown } from '../views/attachments.ts'
import { inWordsOfRuns, requestOf } from './run-functions.ts'
import { pathPartition } from './run-reads.ts'

const MAX_WAIT_SECONDS = 60
const PREFER = /(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])/

/**
 * Parses the seconds in `Prefer: wait=N`, at most 60; returns undefined if the preference is
 * absent.
 */
function waitOf(prefer = ''): number | undefined {
  const [, seconds] = PREFER.exec(prefer) ?? []
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_SECONDS)
}

const Prefer = z
  .string()
  .optional()
  .describe(`\`wait=N\`: number of seconds to wait for the run to end, at most ${MAX_WAIT_SECONDS}`)
  .meta({ examples: ['wait=30'] })

export function runRoutes(api: Api): void {
  route(
    api,
    {
      id: 'createRun',
      method: 'post',
      path: '/v1/runs',
      tag: 'Runs',
      summary: 'Create a run',
      description:
        'Returns 202 once the run is durable, or 200 if it ends within `Prefer: wait=N` ' +
        'seconds. `Accept: text/event-stream` streams the run from its first event. If the ' +
        "session is waiting for the user's answer, the input is used as the answer, and no " +
        'run is created.',
      scope: 'runs:write',
      headers: z.object({
        prefer: Prefer,
        'idempotency-key': IdempotencyKey,
        traceparent: Traceparent,
      }),
      body: RunInput,
      takesMedia: true,
      refusals: [404, 429],
      starts: 'run',
      answers: {
        200: {
          description: 'The run ended within the wait time',
          schema: CreatedRun,
          stream: RunStreamData,
          headers: ['Location'],
        },
        202: {
          description: 'Accepted; `Location` contains the URL of the new resource',
          schema: CreatedRun,
          headers: ['Location'],
        },
      },
    },
    async ({ c, world, tenant, body }) => {
      withinToken(c.get('principal'), body.session_id)
      const subject = subjectOf(c.get('principal'), body.subject)
      const streams = c.req.header('accept')?.includes('text/event-stream') === true
      if (streams && body.webhook && body.webhook.secret === undefined) throw noSecret()
      const seconds = waitOf(c.req.header('prefer'))
      const waits = streams || (seconds ?? 0) > 0
      const traceparent = c.req.header('traceparent')
      const here = (waits && world.attended?.()) || world
      const cause = { kind: 'main', traceparent } as const
      const accepted = granted(
        inWordsOfRuns(
          await acceptRun(here, tenant, requestOf({ ...body, subject }), keyedOf(c), cause),
        ),
      )
      const { run, webhook_secret, replayed, answered: answerInfo } = accepted
      const id = run.state.spec!.id
      const location = `/v1/runs/${id}`
      if (streams) {
        const headers = { location, ...replayHeader(replayed) }
        return streamLog(world, runPartition(tenant, id), 0, { headers })
      }
      const ended =
        seconds === undefined
          ? run
          : await untilTerminal(world, runPartition(tenant, id), seconds * 1000, run)
      const done = isTerminal(ended.state)
      const secret = webhook_secret === undefined ? {} : { webhook_secret }
      const applied = seconds === undefined ? {} : { 'preference-applied': `wait=${seconds}` }
      const responseBody = {
        ...(await readShown(world, tenant, ended)),
        ...secret,
        ...(answerInfo ? { answered: answerInfo } : {}),
      }
      const headers = { location, ...applied, ...replayHeader(replayed) }
      return c.json(responseBody, done && seconds !== undefined ? 200 : 202, headers)
    },
  )
  cancel(api)
  retry(api)
  message(api)
  cancelBelow(api)
}

/**
 * Rejects the generation of a webhook secret, because a stream cannot show the secret, and webhooks
 * cannot be verified without it.
 */
const noSecret = () => {
  const errors = [{ pointer: '/webhook/secret', message: 'required when the response is a stream' }]
  return refuse('invalid_request', "A request for a stream must include the webhook's secret.", {
    errors,
  })
}

function cancel(api: Api): void {
  route(
    api,
    {
      id: 'cancelRun',
      method: 'post',
      path: '/v1/runs/{id}/cancel',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: 'Cancel a run and its descendants',
      description:
        'No new model or tool call starts after the response. Waits up to 2 seconds for the ' +
        'run to end. Repeating the request, or cancelling a run that has ended, has no ' +
        'effect.',
      scope: 'runs:write',
      body: CancelInput,
      bodyOptional: true,
      answers: {
        200: { description: 'Cancelled, or cancellation is in progress', schema: CancelledRun },
      },
    },
    async ({ c, world, tenant, by, body }) => {
      const cancelled = await cancelRun(world, pathPartition(c, tenant), by, body.reason)
      if (!cancelled) throw refuse('not_found', 'Run not found.')
      const view = await readShown(world, tenant, cancelled.run)
      return c.json({ ...view, cancelled_children: cancelled.children })
    },
  )
  route(
    api,
    {
      id: 'deleteRun',
      method: 'delete',
      path: '/v1/runs/{id}',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: 'Delete a run that has ended',
      description: DELETING,
      scope: 'runs:write',
      refusals: [409],
      answers: { 204: { description: 'Deleted, including all descendants' } },
    },
    async ({ c, world, tenant, by }) => {
      const deletion = await deleteEnded(world, runLogType, pathPartition(c, tenant), by)
      if (!granted(deletion)) throw refuse('not_found', 'Run not found.')
      return c.body(null, 204)
    },
  )
}

function retry(api: Api): void {
  route(
    api,
    {
      id: 'retryRun',
      method: 'post',
      path: '/v1/runs/{id}/retry',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: 'Retry a model call immediately',
      description:
        'Immediately retries the model call for a run that is waiting for its model ' +
        '(`waiting_on` is `model`), or for its descendants that are waiting for their models. ' +
        'The time at which the run stops waiting is unchanged. Returns 409 if none of these ' +
        'runs is waiting for a model.',
      scope: 'runs:write',
      body: NoBody,
      bodyOptional: true,
      refusals: [409],
      starts: 'run',
      answers: { 200: { description: 'The model call is retried', schema: RetriedRun } },
    },
    async ({ c, world, tenant, by }) => {
      const { run, retried } = granted(await retryRun(world, pathPartition(c, tenant), by))
      return c.json({ ...(await readShown(world, tenant, run)), retried })
    },
  )
}

function message(api: Api): void {
  route(
    api,
    {
      id: 'sendRunMessage',
      method: 'post',
      path: '/v1/runs/{id}/messages',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: 'Send a message to an active run',
      description:
        'The message is added to the transcript once, before the next model call. A message ' +
        'that arrives during a call is added after the call. Returns 409 if the run has ' +
        'ended.',
      scope: 'runs:write',
      headers: z.object({
        'idempotency-key': IdempotencyKey,
        traceparent: Traceparent.describe(
          "The caller's W3C Trace Context; the run's trace links to it",
        ),
      }),
      body: MessageInput,
      takesMedia: true,
      refusals: [409],
      answers: {
        202: { description: 'Accepted; the run will read the message', schema: MessageSent },
      },
    },
    async ({ c, world, tenant, body }) => {
      const partition = pathPartition(c, tenant)
      const pointer = '/content'
      const content = granted(await readContent(world, tenant, body.content, { pointer }))
      const sending = { key: keyedOf(c)?.key, traceparent: c.req.header('traceparent') }
      const sent = granted(await sendMessage(world, partition, content, sending))
      const { message_id, replayed, answers } = sent
      const run_id = parsePartition(partition).id
      return c.json({ message_id, run_id, answers }, 202, replayHeader(replayed))
    },
  )
}

function cancelBelow(api: Api): void {
  route(
    api,
    {
      id: 'cancelRunChildren',
      method: 'post',
      path: '/v1/runs/{id}/children/cancel',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: "Cancel a run's subagents",
      description:
        'Cancels active and requested subagents; the run continues. To cancel one subagent, ' +
        "use `POST /v1/runs/{id}/cancel` with the subagent's ID.",
      scope: 'runs:write',
      body: NoBody,
      bodyOptional: true,
      answers: {
        200: { description: 'Cancelled, or cancellation is in progress', schema: CancelledRun },
      },
    },
    async ({ c, world, tenant, by }) => {
      const cancelled = await cancelChildren(world, pathPartition(c, tenant), by)
      if (!cancelled) throw refuse('not_found', 'Run not found.')
      const view = await readShown(world, tenant, cancelled.run)
      return c.json({ ...view, cancelled_children: cancelled.children })
    },
  )
}
