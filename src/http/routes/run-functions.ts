/** Handles functions that the client performs: their declaration in a run, and their results. */

import { LIMITS } from '../../core/limits.ts'
import type { Refusal } from '../../core/problem.ts'
import type { Accepted } from '../../engine/run/accept.ts'
import { bringResults } from '../../engine/run/caller-tools.ts'
import type { RunRequest } from '../../engine/run/request.ts'
import { canonical } from '../../lib/digest.ts'
import { fail, type Outcome } from '../../lib/outcome.ts'
import { granted } from '../request/problem.ts'
import { moved } from '../request/refusal-pointer.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { FunctionResult } from '../schemas/runs/functions.ts'
import type { RunInput } from '../schemas/runs/run-input.ts'
import { Run } from '../schemas/runs/runs.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { readShown } from '../views/attachments.ts'
import { pathPartition } from './run-reads.ts'

/** Converts an API run request to the engine's format. */
export function requestOf({ functions = [], ...request }: RunInput): RunRequest {
  if (functions.length === 0) return request
  const caller_tools = functions.map(({ name, description = '', parameters }) => ({
    ...{ name, description },
    input_schema: { type: 'object', properties: {}, ...parameters },
  }))
  return { ...request, caller_tools }
}

/** Converts a run request from the engine's format; the inverse of `requestOf`. */
export function inputOf({ caller_tools = [], ...request }: RunRequest) {
  if (caller_tools.length === 0) return request
  const functions = caller_tools.map(({ name, description, input_schema }) => ({
    name,
    ...(description === '' ? {} : { description }),
    ...(canonical(input_schema) === NO_PARAMETERS ? {} : { parameters: input_schema }),
  }))
  return { ...request, functions }
}

const NO_PARAMETERS = canonical({ type: 'object', properties: {} })

/**
 * Renames members in a rejection, or in the list of ignored members, to this API's member names.
 */
export function inWordsOfRuns(outcome: Outcome<Accepted, Refusal>): Outcome<Accepted, Refusal> {
  if (!outcome.ok) return fail(moved(outcome.error, placeOf))
  const { answered: answerInfo } = outcome.value
  if (!answerInfo) return outcome
  const ignored = answerInfo.ignored.map((name) => (name === 'caller_tools' ? 'functions' : name))
  return { ...outcome, value: { ...outcome.value, answered: { ...answerInfo, ignored } } }
}

const placeOf = (pointer: string): string =>
  pointer
    .replace(/^\/caller_tools(\/\d+)\/input_schema/, '/functions$1/parameters')
    .replace(/^\/caller_tools/, '/functions')

export function functionRoutes(api: Api): void {
  route(
    api,
    {
      id: 'answerFunctionCall',
      method: 'post',
      path: '/v1/runs/{id}/functions/{call}',
      params: { id: PATH_ID.run, call: "ID of the call, from the run's `function_calls`" },
      tag: 'Runs',
      summary: 'Submit a function call result',
      description:
        'The run continues when every call in the step has a result. Repeating the same ' +
        'result has no effect (200). Returns 409 for a different result, a call that is ' +
        'waiting for an approval, or a run that has ended. Returns 413 for more than ' +
        `${LIMITS.tool_result_bytes} bytes.`,
      scope: 'runs:write',
      body: FunctionResult,
      refusals: [409],
      starts: 'run',
      answers: { 200: { description: 'The run and its remaining open calls', schema: Run } },
    },
    async ({ c, world, tenant, body }) => {
      const partition = pathPartition(c, tenant)
      const call = c.req.param('call') ?? ''
      const run = granted(await bringResults(world, partition, [{ call, ...resultOf(body) }]))
      return c.json(await readShown(world, tenant, run))
    },
  )
}

function resultOf({ output, error }: FunctionResult) {
  if (error !== undefined) return { text: error, is_error: true }
  return { text: typeof output === 'string' ? output : JSON.stringify(output) }
}
