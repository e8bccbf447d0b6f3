/**
 * Serves runs in the format of OpenAI's Responses API; a response is a run, or a continued section
 * of a run.
 */

import * as z from 'zod'
import { runLogType } from '../../engine/logs/run.ts'
import { runPartition } from '../../engine/partition/keys.ts'
import { cancelRun } from '../../engine/run/cancel.ts'
import { deleteEnded } from '../../engine/run/delete.ts'
import { type ResponseName, responseId, responseName } from '../protocols/openai/ids.ts'
import { conversationOf, type PlacedItem } from '../protocols/openai/input.ts'
import { inputItems } from '../protocols/openai/input-items.ts'
import { chosenBy, schemaBy, settingsBy, toolsOf } from '../protocols/openai/request.ts'
import { responseOf } from '../protocols/openai/response.ts'
import { startTurn } from '../protocols/openai/start.ts'
import { tellResponse } from '../protocols/openai/stream.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import {
  InputItems,
  ItemsQuery,
  Response,
  ResponseDeleted,
  ResponseEvent,
  RetrieveQuery,
} from '../schemas/protocols/openai.ts'
import { ResponseInput } from '../schemas/protocols/openai-input.ts'
import { NoBody } from '../schemas/shared/common.ts'
import { readTurn, streamTurn, untilTurn } from '../turn/follow.ts'

const TAG = 'OpenAI'
const id = { id: 'ID of the response' }

interface WithId {
  readonly req: { param(name: 'id'): string | undefined }
}
const missing = () => refuse('not_found', 'Response not found.')

function nameOf(c: WithId): ResponseName {
  const name = responseName(c.req.param('id') ?? '')
  if (!name) throw missing()
  return name
}

export function responseRoutes(api: Api): void {
  create(api)
  reads(api)
  ends(api)
}

function create(api: Api): void {
  route(
    api,
    {
      id: 'createResponse',
      method: 'post',
      path: '/v1/responses',
      tag: TAG,
      summary: 'Create a response (OpenAI)',
      description:
        "Creates a run through OpenAI's interface, with the same limits and policy as other " +
        'runs: `resp_x` is `run_x`. Waits up to ten minutes for the run to end; `background` ' +
        'returns immediately, and `stream` sends events. `completed` with a `function_call` ' +
        'means that the run is waiting for client functions. Send all outputs with ' +
        '`previous_response_id`, and the same run continues as `resp_x_1`. A question to the ' +
        'user also ends a response, and the next input answers it. Error responses have a ' +
        "member `error`, as in OpenAI's API.",
      scope: 'runs:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: ResponseInput,
      takesMedia: 'urls',
      ignoresUnknown: true,
      refusals: [404, 409, 429],
      starts: 'run',
      answers: {
        200: {
          description: 'The response; its status is `queued` or `in_progress` if it has not ended',
          schema: Response,
          stream: ResponseEvent,
          headers: ['Location'],
        },
      },
    },
    async ({ c, world, tenant, body, ignored }) => {
      const { background = false, stream = false } = body
      const previous_response_id = body.previous_response_id || undefined
      const here = (!background && world.attended?.()) || world
      const items: PlacedItem[] =
        typeof body.input === 'string'
          ? [{ item: { role: 'user', content: body.input }, at: '/input' }]
          : body.input.map((item, index) => ({ item, at: `/input/${index}` }))
      const conversation = conversationOf(items, '/input')
      const instructions = [body.instructions ?? '', ...conversation.instructions]
      const started = await startTurn({
        world: here,
        tenant,
        keyed: keyedOf(c),
        conversation,
        request: {
          ...chosenBy(body.model),
          ...schemaBy(body.text?.format),
          instructions: instructions.filter((text) => text.trim() !== '').join('\n\n'),
          caller_tools: toolsOf(body.tools ?? []),
          metadata: body.metadata,
          model_settings: settingsBy({
            temperature: body.temperature,
            top_p: body.top_p,
            max_output_tokens: body.max_output_tokens,
            reasoning_effort: body.reasoning?.effort,
            parallel_tool_calls: body.parallel_tool_calls,
          }),
        },
        previous: previous_response_id,
        session: conversationIn(body.conversation),
      })
      const { run, turn, replayed } = started
      const partition = runPartition(tenant, run)
      const location = `/v1/responses/${responseId(started)}`
      const headers = { location, ...replayHeader(replayed) }
      const echo = { background, previous_response_id, ignored }
      if (stream) return streamTurn(world, partition, turn, headers, tellResponse(-1, ignored))
      const view = background
        ? await readTurn(world, partition, turn)
        : await untilTurn(world, partition, turn)
      return c.json(responseOf(view, echo), 200, headers)
    },
  )
}

/** Returns the conversation's ID; undefined if the request names no conversation. */
const conversationIn = (conversation: string | { readonly id: string } = ''): string | undefined =>
  (typeof conversation === 'string' ? conversation : conversation.id) || undefined

function reads(api: Api): void {
  route(
    api,
    {
      id: 'getResponse',
      method: 'get',
      path: '/v1/responses/{id}',
      params: id,
      tag: TAG,
      summary: 'Get a response (OpenAI)',
      description:
        'Returns the current state. `stream=true` sends events, limited to events after ' +
        '`starting_after`. Event numbers are the same in every stream; text that was already ' +
        'streamed is replayed as one delta.',
      scope: 'runs:read',
      query: RetrieveQuery,
      answers: {
        200: { description: 'The requested data', schema: Response, stream: ResponseEvent },
      },
    },
    async ({ c, world, tenant, query }) => {
      const { run, turn } = nameOf(c)
      const partition = runPartition(tenant, run)
      const view = await readTurn(world, partition, turn)
      if (query.stream !== 'true') {
        if (query.starting_after === undefined) return c.json(responseOf(view))
        throw refuse('invalid_query', '`starting_after` requires `stream=true`.')
      }
      return streamTurn(world, partition, turn, {}, tellResponse(query.starting_after ?? -1))
    },
  )
  route(
    api,
    {
      id: 'listResponseInputItems',
      method: 'get',
      path: '/v1/responses/{id}/input_items',
      params: id,
      tag: TAG,
      summary: "List a response's input items (OpenAI)",
      description:
        'Returns messages and function outputs. Earlier items in the conversation are not ' +
        'included.',
      scope: 'runs:read',
      query: ItemsQuery,
      answers: { 200: { description: 'The requested data', schema: InputItems } },
    },
    async ({ c, world, tenant, query }) => {
      const { run, turn } = nameOf(c)
      const view = await readTurn(world, runPartition(tenant, run), turn)
      return c.json(await inputItems(world, tenant, view, query))
    },
  )
}

function ends(api: Api): void {
  route(
    api,
    {
      id: 'cancelResponse',
      method: 'post',
      path: '/v1/responses/{id}/cancel',
      params: id,
      tag: TAG,
      summary: 'Cancel a response (OpenAI)',
      description:
        'Cancels the run and its descendants, like `POST /v1/runs/{id}/cancel`. A response ' +
        'that has ended is unchanged; a run that is waiting for client functions ends.',
      scope: 'runs:write',
      body: NoBody,
      bodyOptional: true,
      answers: {
        200: { description: 'Cancelled, or cancellation is in progress', schema: Response },
      },
    },
    async ({ c, world, tenant, by }) => {
      const { run, turn } = nameOf(c)
      const partition = runPartition(tenant, run)
      await readTurn(world, partition, turn)
      if (!(await cancelRun(world, partition, by))) throw missing()
      return c.json(responseOf(await readTurn(world, partition, turn)))
    },
  )
  route(
    api,
    {
      id: 'deleteResponse',
      method: 'delete',
      path: '/v1/responses/{id}',
      params: id,
      tag: TAG,
      summary: 'Delete a response that has ended (OpenAI)',
      description:
        "Deletes the response's run, including all descendants. Returns 409 while the run is " +
        'active.',
      scope: 'runs:write',
      refusals: [409],
      answers: { 200: { description: 'Deleted', schema: ResponseDeleted } },
    },
    async ({ c, world, tenant, by }) => {
      const name = nameOf(c)
      const partition = runPartition(tenant, name.run)
      await readTurn(world, partition, name.turn)
      if (!granted(await deleteEnded(world, runLogType, partition, by))) throw missing()
      return c.json({ id: responseId(name), object: 'response.deleted', deleted: true })
    },
  )
}
