/**
 * Exposes runs as MCP tasks (revision 2025-11-25): a task's ID is its run's ID. Every run is
 * therefore a task, and the REST API serves all data of a task.
 */

import type { CallToolResult, Server, ServerContext, Task } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { answerOf, grantedBy, invalid, type Members } from './ask.ts'
import type { Caller } from './caller.ts'
import { follow, wantsProgress } from './progress.ts'
import { resultOf } from './result.ts'
import { callRunTool, RUN_TOOLS } from './run-tools.ts'

export const TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } }
const RELATED = 'io.modelcontextprotocol/related-task'
/** Maximum time that a request waits for a task's end, in milliseconds. */
const WAIT_MS = 600_000
const WAIT_SECONDS = 60
const POLL_MS = 1_000

interface Run extends Members {
  readonly id: string
  readonly status: string
  readonly waiting_on: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly error: { readonly message: string } | null
}

/** Starts a task; the result names the task and does not wait for the run's end. */
export async function startTask(
  { ask, routes }: Caller,
  input: Members,
  { mcpReq: { signal } }: ServerContext,
): Promise<CallToolResult> {
  const { wait: _, ...request } = input
  const created = await callRunTool({ routes, ask, signal }, RUN_TOOLS.runs_create!, request)
  return { content: [], task: taskOf(grantedBy(created) as Run) }
}

export function serveTasks(server: Server, caller: Caller): void {
  const taskParams = { params: z.object({ taskId: z.string() }) }
  server.setRequestHandler('tasks/get', taskParams, async ({ taskId }, { mcpReq }) => {
    return taskOf(await runOf(caller, taskId, mcpReq.signal))
  })
  server.setRequestHandler('tasks/result', taskParams, ({ taskId }, context) => {
    return ended(caller, taskId, context)
  })
  server.setRequestHandler(
    'tasks/cancel',
    taskParams,
    async ({ taskId }, { mcpReq: { signal } }) => {
      const run = await runOf(caller, taskId, signal)
      if (run.ended_at !== null) throw invalid('conflict', `The run has ended (${run.status}).`)
      const path = `/v1/runs/${encodeURIComponent(taskId)}/cancel`
      const answer = await caller.ask({ method: 'POST', path, body: {}, signal })
      return taskOf(grantedBy(await answerOf(answer)) as Run)
    },
  )
  const page = { params: z.object({ cursor: z.string().optional() }) }
  server.setRequestHandler('tasks/list', page, async ({ cursor }, { mcpReq: { signal } }) => {
    const query = cursor === undefined ? {} : { cursor }
    const answer = await caller.ask({ method: 'GET', path: '/v1/runs', query, signal })
    const { data, next_cursor } = grantedBy(await answerOf(answer))
    const tasks = (data as Run[]).map(taskOf)
    return next_cursor === null ? { tasks } : { tasks, nextCursor: next_cursor as string }
  })
}

async function runOf({ ask }: Caller, id: string, signal: AbortSignal, wait = 0): Promise<Run> {
  const path = `/v1/runs/${encodeURIComponent(id)}`
  const query = { wait: String(wait) }
  return grantedBy(await answerOf(await ask({ method: 'GET', path, query, signal }))) as Run
}

/** Returns the tool call's result once the task's run has ended. */
async function ended(caller: Caller, id: string, context: ServerContext): Promise<CallToolResult> {
  const { ask, world } = caller
  const { signal } = context.mcpReq
  const until = world.clock.monotonic() + WAIT_MS
  let run = await runOf(caller, id, signal)
  if (wantsProgress(context)) {
    await follow({ ask, clock: world.clock, context }, id, 0, WAIT_MS)
    run = await runOf(caller, id, signal)
  }
  while (run.ended_at === null && world.clock.monotonic() < until && !signal.aborted) {
    run = await runOf(caller, id, signal, WAIT_SECONDS)
  }
  if (run.ended_at === null) throw invalid('conflict', 'The run has not ended yet; retry later.')
  const isError = run.status !== 'completed'
  const result = { ...resultOf({ ok: true, value: run }), _meta: { [RELATED]: { taskId: id } } }
  return isError ? { ...result, isError } : result
}

function taskOf(run: Run): Task {
  const { error, waiting_on } = run
  const message = error?.message ?? (waiting_on === null ? undefined : `waits: ${waiting_on}`)
  return {
    taskId: run.id,
    status: statusOf(run),
    // Tasks are kept as long as their runs.
    ttl: null,
    createdAt: run.created_at,
    lastUpdatedAt: run.ended_at ?? run.started_at ?? run.created_at,
    pollInterval: POLL_MS,
    ...(message === undefined ? {} : { statusMessage: message }),
  }
}

function statusOf({ status, waiting_on }: Run): Task['status'] {
  if (status === 'completed' || status === 'cancelled') return status
  if (status === 'failed' || status === 'timed_out') return 'failed'
  return waiting_on === 'approval' || waiting_on === 'input' ? 'input_required' : 'working'
}
