/** Lists an agent's tasks in pages, newest first; only runs started by a request are tasks. */

import type { RunStatus } from '../../../core/run/state/state.ts'
import { runsList } from '../../../engine/partition/keys.ts'
import { parseTime } from '../../../lib/time.ts'
import type { Params } from '../../schemas/protocols/a2a.ts'
import { searchRuns } from '../../views/search.ts'
import { RpcRefused, rpcRefused } from './error.ts'
import { readTask, shownTask, statusOf, type TaskPlace, type TaskView } from './task.ts'

/** Run statuses that may correspond to each task state. */
const RUNS: Readonly<Record<string, readonly RunStatus[]>> = {
  SUBMITTED: ['queued', 'waiting'],
  WORKING: ['queued', 'running', 'waiting'],
  INPUT_REQUIRED: ['queued', 'running', 'waiting'],
  AUTH_REQUIRED: ['queued', 'running', 'waiting'],
  COMPLETED: ['completed'],
  REJECTED: ['completed'],
  FAILED: ['failed', 'timed_out'],
  CANCELED: ['cancelled'],
}
const PREFIX = 'TASK_STATE_'

export async function listTasks(place: TaskPlace, params: Params<'ListTasks'>): Promise<object> {
  const { world, tenant, agent } = place
  const { contextId, pageSize, pageToken, historyLength, includeArtifacts: artifacts } = params
  const state = stateOf(params.status)
  const since = timeOf(params.statusTimestampAfter)
  const filter = {
    ...{ agent, kind: 'main' },
    ...(contextId ? { session_id: contextId } : {}),
    ...(state === undefined ? {} : { status: RUNS[state]! }),
  }
  const query = { limit: pageSize, cursor: pageToken || undefined }
  const page = await searchRuns(world, runsList(tenant), query, { filter, order: 'desc' })
  const read = await Promise.all(page.data.map(({ id }) => readAny(place, id)))
  const matches = read.filter(
    (task) =>
      task !== undefined &&
      (state === undefined || statusOf(task).state === state) &&
      statusOf(task).at >= since,
  ) as TaskView[]
  const viewOptions = { historyLength, artifacts }
  return {
    tasks: await Promise.all(matches.map((task) => shownTask(place, task, viewOptions))),
    nextPageToken: page.next_cursor ?? '',
    pageSize,
    // The total is not counted; one additional item stands for all further tasks.
    totalSize: matches.length + (page.has_more ? 1 : 0),
  }
}

function stateOf(status: string | undefined): string | undefined {
  const state = status?.slice(PREFIX.length)
  if (state === undefined || state === 'UNSPECIFIED') return undefined
  if (status?.startsWith(PREFIX) && Object.hasOwn(RUNS, state)) return state
  throw rpcRefused('INVALID_PARAMS', `Unknown state ${status}.`)
}

function timeOf(text = ''): number {
  const time = text === '' ? Number.NEGATIVE_INFINITY : parseTime(text)
  if (time === undefined)
    throw rpcRefused('INVALID_PARAMS', `${text} is not an RFC 3339 timestamp.`)
  return time
}

/** Reads a task; returns undefined if the task was deleted in the meantime. */
const readAny = (place: TaskPlace, id: string): Promise<TaskView | undefined> =>
  readTask(place, id).catch((error: unknown) => {
    if (error instanceof RpcRefused) return undefined
    throw error
  })
