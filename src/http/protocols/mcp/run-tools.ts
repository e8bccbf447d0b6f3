/**
 * Defines MCP tools for runs and approvals: each tool is one API route, with a name that models can
 * write. A tool's parameters are those of the route: path, query, and body.
 */

import * as z from 'zod'
import { shownSchema } from '../../../core/manage/operations.ts'
import { assert } from '../../../lib/assert.ts'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { IdempotencyKey, keyIn, NO_KEY } from '../../request/idempotency.ts'
import type { Route } from '../../request/route.ts'
import { waitQuery } from '../../schemas/shared/common.ts'
import { type ApiRequest, type Ask, answerOf, type Members, type Problem } from './ask.ts'

export interface RunTool {
  /** ID of the API route that the tool calls. */
  readonly route: string
  readonly description: string
  /** Name of the tool parameter with the ID in the route's path. */
  readonly id?: 'run_id' | 'approval_id'
  /** Tool parameter names of renamed query parameters, because models cannot write brackets. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Tool parameters in addition to those of the route. */
  readonly more?: Readonly<Record<string, z.ZodType>>
  /** True if a repeated tool call has no further effect. */
  readonly idempotent?: boolean
}

const idempotency = { idempotency_key: IdempotencyKey }
const after = z
  .int()
  .min(0)
  .optional()
  .describe('With a progress token: report only events after this seq')

export const RUN_TOOLS: Readonly<Record<string, RunTool>> = {
  runs_create: {
    route: 'createRun',
    description:
      'Starts an agent run. Responds immediately, or when the run ends within `wait`; with ' +
      'a progress token, reports its events. The task ID is the run ID.',
    more: { ...idempotency, wait: waitQuery.wait },
  },
  runs_list: {
    route: 'listRuns',
    description: 'Lists runs that match all filters, newest first.',
    renamed: { created_gte: 'created[gte]', created_lt: 'created[lt]' },
    more: {
      metadata: z
        .record(z.string(), z.string())
        .optional()
        .describe('Pairs that metadata must contain'),
    },
  },
  runs_get: {
    route: 'getRun',
    id: 'run_id',
    description:
      'Returns a run: status, what it is waiting for, output, and usage. `wait` delays the ' +
      'response until the run ends; with a progress token, reports its events.',
    more: { after },
  },
  runs_events: {
    route: 'listRunEvents',
    id: 'run_id',
    description: "Lists a run's events, oldest first, each identified by run and seq.",
  },
  runs_transcript: {
    route: 'getRunTranscript',
    id: 'run_id',
    description: "Returns a run's messages: all model input and output.",
  },
  runs_send: {
    route: 'sendRunMessage',
    id: 'run_id',
    description:
      'Sends a message to a live run. The run reads it before its next model call and uses ' +
      'it as the answer to an open question, if any.',
    more: idempotency,
  },
  runs_answer_function: {
    route: 'answerFunctionCall',
    id: 'run_id',
    more: { call: z.string().describe("ID of the call, from the run's `function_calls`") },
    description:
      'Submits the result of a call to a function declared with `runs_create`; `runs_get` ' +
      'lists open calls as `function_calls`.',
    idempotent: true,
  },
  runs_cancel: {
    route: 'cancelRun',
    id: 'run_id',
    description: 'Cancels a run and its descendants.',
    idempotent: true,
  },
  runs_cancel_many: {
    route: 'cancelRuns',
    description:
      'Cancels active runs that match all filters; repeat with `cursor` while `has_more` is true.',
    idempotent: true,
  },
  runs_retry: {
    route: 'retryRun',
    id: 'run_id',
    description:
      'Retries the model call for a run that is waiting for its model, or for subagents ' +
      'that are waiting for theirs.',
    idempotent: true,
  },
  approvals_list: {
    route: 'listApprovals',
    description: "Lists approvals: tool calls that are waiting for a person's decision.",
  },
  approvals_get: {
    route: 'getApproval',
    id: 'approval_id',
    description: "Returns an approval with its call's full arguments.",
  },
  approvals_decide: {
    route: 'decideApproval',
    id: 'approval_id',
    description: 'Decides an approval; the first decision wins.',
    idempotent: true,
  },
  approvals_decide_many: {
    route: 'decideApprovals',
    description:
      'Decides several approvals in the same way; returns one result for each, with a `code` if ' +
      'it was not decided.',
    idempotent: true,
  },
}

export const isRunTool = (name: string): boolean => Object.hasOwn(RUN_TOOLS, name)

export function routeOf(routes: readonly Route[], { route: id }: RunTool): Route {
  const route = routes.find((candidate) => candidate.id === id)
  assert(route, `a tool refers to an unknown route: ${id}`)
  return route
}

const shapeOf = (schema: z.ZodType | undefined): z.ZodRawShape =>
  schema instanceof z.ZodObject ? schema.shape : {}

/** Returns the parameters of a run tool as JSON Schema. */
export function runSchema(routes: readonly Route[], tool: RunTool): { type: 'object' } {
  const { query, body } = routeOf(routes, tool)
  const names = Object.fromEntries(Object.entries(tool.renamed ?? {}).map(([to, of]) => [of, to]))
  const queryMembers = Object.entries(shapeOf(query)).map(([name, schema]) => [
    names[name] ?? name,
    schema,
  ])
  const id = tool.id ? { [tool.id]: z.string().describe('Its id') } : {}
  const shape = { ...id, ...Object.fromEntries(queryMembers), ...shapeOf(body), ...tool.more }
  return shownSchema(z.strictObject(shape as z.ZodRawShape)) as { type: 'object' }
}

export const isReading = (route: Route): boolean => route.method === 'get'

export interface CallContext {
  readonly routes: readonly Route[]
  readonly ask: Ask
  readonly signal: AbortSignal
}

/** Calls the API route of a run tool. */
export async function callRunTool(
  { routes, ask, signal }: CallContext,
  tool: RunTool,
  input: Members,
): Promise<Outcome<Members, Problem>> {
  const request = requestOf(routeOf(routes, tool), tool, input)
  return request.ok ? answerOf(await ask({ ...request.value, signal })) : request
}

/** Additional tool parameter that is sent in the query. */
const PAIRS = 'metadata'

function requestOf(route: Route, tool: RunTool, input: Members): Outcome<ApiRequest, Problem> {
  const { [tool.id ?? '']: id = '', ...sent } = input as Record<string, unknown>
  if (tool.id && typeof id !== 'string') return bad(tool.id, 'The ID must be a string.')
  const { method } = route
  let path = route.path.replace('{id}', encodeURIComponent(String(id)))
  const headerNames = Object.keys(tool.more ?? {}).filter((name) => name !== PAIRS)
  const headers: Record<string, string> = {}
  for (const name of headerNames) {
    const { [name]: value = null } = sent
    delete sent[name]
    if (value === null) continue
    const read = tool.more![name]!.safeParse(value)
    if (!read.success) return bad(name, read.error.issues[0]!.message)
    path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
    if (name === 'idempotency_key') {
      const key = keyIn(String(value))
      // Rejects idempotency keys that are not valid header values.
      if (key === undefined) return fail({ status: 400, code: 'invalid_header', detail: NO_KEY })
      headers['idempotency-key'] = key
    }
    if (name === 'wait') headers.prefer = `wait=${Math.ceil(Number(value))}`
  }
  if (isReading(route)) return ok({ method, path, query: queryOf(tool, sent), headers })
  return ok({ method, path, body: sent, headers })
}

/** Returns a tool's query parameters with their names in the URL. */
function queryOf({ renamed = {} }: RunTool, input: Members): Record<string, string> {
  const pairs = Object.entries(input).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const key = renamed[name] ?? name
    if (Array.isArray(value)) return [[key, value.map(toText).join(',')]]
    if (typeof value === 'object') {
      return Object.entries(value).map(([below, member]) => [`${key}.${below}`, toText(member)])
    }
    return [[key, toText(value)]]
  })
  return Object.fromEntries(pairs)
}

const toText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

function bad(name: string, message: string): Outcome<never, Problem> {
  const errors = [{ pointer: `/${name}`, message }]
  const detail = `${message} (/${name})`
  return fail({ status: 422, code: 'invalid_request', detail, errors })
}
