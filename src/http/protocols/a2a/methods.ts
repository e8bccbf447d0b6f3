/**
 * Implements the A2A 1.0 methods that respond without a stream; `SubscribeToTask` and similar
 * methods stream.
 */

import type { AgentEntry } from '../../../core/config/types.ts'
import { isTerminal } from '../../../core/run/state/state.ts'
import { runPartition } from '../../../engine/partition/keys.ts'
import { cancelRun } from '../../../engine/run/cancel.ts'
import type { METHODS, Params } from '../../schemas/protocols/a2a.ts'
import { WAIT_MS } from '../../stream/tail.ts'
import { until } from '../../stream/wait.ts'
import { agentCard } from './card.ts'
import { rpcRefused, taskNotFound } from './error.ts'
import { listTasks } from './list.ts'
import { ignoring, PUSH_ID, type Sent, send } from './start.ts'
import { hasEnded, isInterrupted } from './status.ts'
import { readTask, shownTask, statusOf, type TaskPlace, type TaskView } from './task.ts'

export interface RpcCall {
  readonly place: TaskPlace
  /**
   * Requested agent; undefined if the agent does not exist or is not listed, although its tasks may
   * exist.
   */
  readonly entry: AgentEntry | undefined
  /** ID of the caller's API key. */
  readonly by: string
  /** Names of request parameters that were ignored. */
  readonly ignored: readonly string[]
}
type Name = keyof typeof METHODS
type Plain = Exclude<Name, 'SubscribeToTask'>
type Perform<M extends Name> = (call: RpcCall, params: Params<M>) => Promise<unknown>

/** A2A methods that change data and require the scope `runs:write`. */
export const WRITES: ReadonlySet<string> = new Set<Name | 'SendStreamingMessage'>([
  'SendMessage',
  'SendStreamingMessage',
  'CancelTask',
  'CreateTaskPushNotificationConfig',
  'DeleteTaskPushNotificationConfig',
])

export const PERFORM: { readonly [M in Plain]: Perform<M> } = {
  async SendMessage({ place, entry, ignored }, params) {
    const { returnImmediately = false, historyLength } = params.configuration ?? {}
    const here = {
      ...place,
      world: (!returnImmediately && place.world.attended?.()) || place.world,
    }
    const sent = await send(here, entry, params, ignored)
    const task = returnImmediately ? await readTask(place, sent.run) : await settled(place, sent)
    return { task: await shownTask(place, task, { historyLength, more: sent.more }) }
  },
  GetTask: async ({ place, ignored }, { id, historyLength }) =>
    shownTask(place, await readTask(place, id), { historyLength, more: ignoring(ignored) }),
  ListTasks: ({ place }, params) => listTasks(place, params),
  async CancelTask({ place, by }, { id }) {
    const { view } = await readTask(place, id)
    const { status } = view.state
    if (isTerminal(view.state))
      throw rpcRefused('TASK_NOT_CANCELABLE', `The run has ended (${status}).`)
    if (!(await cancelRun(place.world, runPartition(place.tenant, id), by))) throw taskNotFound()
    return shownTask(place, await readTask(place, id))
  },
  async CreateTaskPushNotificationConfig({ place }, { taskId = '' }) {
    await readTask(place, taskId)
    throw rpcRefused('UNSUPPORTED_OPERATION', PUSH_WHEN)
  },
  async GetTaskPushNotificationConfig({ place }, { taskId, id }) {
    const config = pushOf(await readTask(place, taskId)).find((entry) => entry.id === id)
    if (!config) throw rpcRefused('INVALID_PARAMS', 'Configuration not found.')
    return config
  },
  ListTaskPushNotificationConfigs: async ({ place }, { taskId }) => ({
    configs: pushOf(await readTask(place, taskId)),
    nextPageToken: '',
  }),
  async DeleteTaskPushNotificationConfig({ place }, { taskId }) {
    await readTask(place, taskId)
    throw rpcRefused('UNSUPPORTED_OPERATION', PUSH_WHEN)
  },
  async GetExtendedAgentCard({ place, entry }) {
    if (!entry) throw rpcRefused('INVALID_PARAMS', 'Agent not found or not public.')
    return agentCard(place.url, entry)
  },
}

const PUSH_WHEN =
  'Push notifications cover an entire task; configure them with the first message, or ' +
  'subscribe a tenant endpoint (POST /v1/webhook-endpoints).'

/** Returns a task's push notification configuration without its secret. */
const pushOf = ({ run, view }: TaskView) => {
  const { webhook } = view.state.spec!
  return webhook === null ? [] : [{ id: PUSH_ID, taskId: run, url: webhook.url }]
}

/** Waits until the task has ended, waits for an external party, or the time limit is reached. */
const settled = (place: TaskPlace, { run, after }: Sent): Promise<TaskView> =>
  until(place.world, WAIT_MS, async (news) => {
    news.add(runPartition(place.tenant, run))
    const task = await readTask(place, run)
    const status = statusOf(task)
    const over = hasEnded(status) || (isInterrupted(status) && status.seq > after)
    return { found: task, over, seq: task.facts.length }
  })
