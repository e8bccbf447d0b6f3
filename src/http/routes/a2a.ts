/** Serves A2A 1.0 over JSON-RPC: agent cards, and runs exposed as tasks. */

import type { Context } from 'hono'
import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import {
  agentCard,
  exposedAgent,
  exposedAgents,
  publicCard,
  VERSION,
} from '../protocols/a2a/card.ts'
import { rpcErrorOf, rpcRefused } from '../protocols/a2a/error.ts'
import { PERFORM, type RpcCall, WRITES } from '../protocols/a2a/methods.ts'
import { send } from '../protocols/a2a/start.ts'
import { hasEnded } from '../protocols/a2a/status.ts'
import { streamTask } from '../protocols/a2a/stream.ts'
import { readTask, statusOf } from '../protocols/a2a/task.ts'
import { take } from '../request/admission.ts'
import { mediaBody } from '../request/body.ts'
import { refuse } from '../request/problem.ts'
import { publicUrl } from '../request/public-url.ts'
import type { Api, Env } from '../request/route.ts'
import { allows, parseForeign, route } from '../request/route.ts'
import {
  A2aAnswer,
  A2aMessage,
  AgentCard,
  AgentCardList,
  METHODS,
} from '../schemas/protocols/a2a.ts'
import { EVENTS_HEADERS } from '../stream/follow.ts'

const TAG = 'A2A'
const agent = { agent: 'ID of the agent' }

export function a2aRoutes(api: Api): void {
  cards(api)
  calls(api)
}

function cards(api: Api): void {
  const card = { 200: { description: 'The agent card', schema: AgentCard } }
  route(
    api,
    {
      id: 'getPublicAgentCard',
      method: 'get',
      path: '/.well-known/agent-card.json',
      tag: TAG,
      summary: "Get this deployment's agent card (A2A)",
      description: "Requires no API key. The card does not name any of a tenant's agents.",
      scope: null,
      answers: card,
    },
    ({ c, world }) => c.json(publicCard(publicUrl({ c, world }))),
  )
  route(
    api,
    {
      id: 'listAgentCards',
      method: 'get',
      path: '/v1/a2a',
      tag: TAG,
      summary: 'List agent cards (A2A)',
      description: 'Agents in the base layer, except agents with `internal` visibility.',
      scope: 'runs:read',
      answers: { 200: { description: 'The agent cards', schema: AgentCardList } },
    },
    async ({ c, world, tenant }) => {
      const url = publicUrl({ c, world })
      const agents = await exposedAgents(world, tenant)
      return c.json({ object: 'list', data: agents.map((entry) => agentCard(url, entry)) })
    },
  )
  route(
    api,
    {
      id: 'getAgentCard',
      method: 'get',
      path: '/v1/a2a/{agent}/.well-known/agent-card.json',
      params: agent,
      tag: TAG,
      summary: "Get an agent's card (A2A)",
      description:
        'The location where clients look for the card below the base URL `/v1/a2a/{agent}/`.',
      scope: 'runs:read',
      answers: card,
    },
    async ({ c, world, tenant }) => {
      const entry = await exposedAgent(world, tenant, c.req.param('agent') ?? '')
      if (!entry) throw refuse('not_found', 'Agent not found or not public.')
      return c.json(agentCard(publicUrl({ c, world }), entry))
    },
  )
}

function calls(api: Api): void {
  route(
    api,
    {
      id: 'callAgent',
      method: 'post',
      path: '/v1/a2a/{agent}',
      params: agent,
      tag: TAG,
      summary: 'Call an agent (A2A)',
      description:
        'A task is a run, and a context is a session. `metadata.strata` contains the run and ' +
        "the position in the run's log, which is also the server-sent event ID. `SendMessage` " +
        'waits up to ten minutes. `SubscribeToTask` with `Last-Event-ID` continues an ' +
        'interrupted stream. Methods that change data require the scope `runs:write`. A task ' +
        'that is waiting for an approval has the state `AUTH_REQUIRED`; decide the approval ' +
        'at `/v1/approvals`. Push notifications are run webhooks, signed with the `token` as ' +
        'their secret. A `StreamResponse` is sent when a task ends, requires an approval, or ' +
        'asks a question. In `ListTasks`, `totalSize` is the number of tasks on the page, ' +
        'plus one if more follow. Members without an effect are ignored and listed in ' +
        '`Strata-Ignored` and `metadata.strata.ignored`; unsupported requests are rejected. ' +
        'Errors are JSON-RPC errors, except errors about the key, scope, rate, or size.',
      scope: 'runs:read',
      headers: z.object({
        'a2a-version': z
          .string()
          .optional()
          .describe(`Protocol version. Always \`${VERSION}\`; required`)
          .meta({ examples: [VERSION] }),
        ...EVENTS_HEADERS.shape,
      }),
      rawBody: 'application/json',
      rawShape: A2aMessage,
      ignoresUnknown: true,
      refusals: [429],
      answers: {
        200: {
          description: 'The JSON-RPC response, including errors',
          schema: A2aAnswer,
          stream: A2aAnswer,
        },
      },
    },
    async ({ c, world, tenant, by }) => {
      const name = c.req.param('agent') ?? ''
      let id: string | number | null = null
      try {
        const call = await callIn(c)
        id = call.id
        if (WRITES.has(call.method) && !allows(c.get('principal'), 'runs:write'))
          throw refuse('insufficient_scope', 'The key lacks the scope runs:write.')
        if (call.method in STARTS) await take(c, 'run_starts', 1)
        const entry = await exposedAgent(world, tenant, name)
        const url = publicUrl({ c, world })
        const place = { world, tenant, agent: entry?.id ?? name, url }
        const result = await perform(c, { place, entry, by, ignored: [] }, call)
        return result instanceof Response ? result : c.json({ jsonrpc: '2.0', id, result })
      } catch (error) {
        return c.json({ jsonrpc: '2.0', id, error: rpcErrorOf(error) })
      }
    },
  )
}

/** A2A methods that count as a run start, even if they continue a run. */
const STARTS = { SendMessage: true, SendStreamingMessage: true } as const

interface Call {
  readonly id: string | number
  readonly method: string
  readonly params: object
}

async function callIn(c: Context<Env>): Promise<Call> {
  const { json_body_bytes, media_body_bytes } = LIMITS
  const { value } = await mediaBody(c.req, json_body_bytes, media_body_bytes, true)
  const read = A2aMessage.safeParse(value)
  if (!read.success)
    throw rpcRefused(
      'INVALID_REQUEST',
      'The request must have the form {jsonrpc: "2.0", id, method, params}.',
    )
  const version = c.req.header('a2a-version') ?? ''
  if (!/^1\.\d+$/.test(version.trim())) {
    const versionText = version === '' ? 'none (equivalent to 0.3)' : version
    throw rpcRefused(
      'VERSION_NOT_SUPPORTED',
      `This endpoint supports A2A-Version ${VERSION}, not ${versionText}.`,
    )
  }
  const { id, method, params = {} } = read.data
  return { id, method, params }
}

async function perform(c: Context<Env>, call: RpcCall, { id, method, params }: Call) {
  const { place, entry } = call
  switch (method) {
    case 'SendStreamingMessage': {
      const input = parseForeign(c, METHODS.SendMessage, params)
      const here = { ...place, world: place.world.attended?.() ?? place.world }
      return streamTask(place, id, await send(here, entry, input, c.get('ignored') ?? []))
    }
    case 'SubscribeToTask':
      return subscribe(c, call, id, parseForeign(c, METHODS.SubscribeToTask, params).id)
    default: {
      if (!Object.hasOwn(PERFORM, method))
        throw rpcRefused('METHOD_NOT_FOUND', `Unknown method ${JSON.stringify(method)}.`)
      const name = method as keyof typeof PERFORM
      const input = parseForeign(c, METHODS[name], params)
      return PERFORM[name]({ ...call, ignored: c.get('ignored') ?? [] }, input as never)
    }
  }
}

const SEQ = /^(?:0|[1-9]\d{0,8})$/

/**
 * Streams a task to a subscriber; an ended task is streamed only to clients that have not seen its
 * end.
 */
async function subscribe(
  c: Context<Env>,
  { place }: RpcCall,
  id: string | number,
  run: string,
): Promise<Response> {
  const task = await readTask(place, run)
  const last = c.req.header('last-event-id')
  const { length } = task.facts
  if (last !== undefined && !(SEQ.test(last) && Number(last) <= length && Number(last) > 0))
    throw rpcRefused(
      'INVALID_PARAMS',
      `Last-Event-ID must be a position in the log, from 1 to ${length}.`,
    )
  const after = last === undefined ? undefined : Number(last)
  if (hasEnded(statusOf(task)) && (after ?? length) === length)
    throw rpcRefused('UNSUPPORTED_OPERATION', 'The task has ended; read it with GetTask.')
  return streamTask(place, id, { run, after })
}
