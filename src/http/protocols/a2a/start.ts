/**
 * Starts a task from a message: a new run, the next run of a session, or more input for an active
 * run. The message ID is the idempotency key.
 */

import type { AgentEntry } from '../../../core/config/types.ts'
import { TASK_EVENTS } from '../../../core/webhook/task-update.ts'
import { runPartition } from '../../../engine/partition/keys.ts'
import { acceptRun } from '../../../engine/run/accept.ts'
import { askingRun } from '../../../engine/run/answer.ts'
import { readContent } from '../../../engine/run/content.ts'
import { sendMessage } from '../../../engine/run/messages.ts'
import type { InputPart, WebhookRequest } from '../../../engine/run/request.ts'
import { digest } from '../../../lib/digest.ts'
import { granted } from '../../request/problem.ts'
import type { Message, Params, Part, PushConfig } from '../../schemas/protocols/a2a.ts'
import { TEXT } from './card.ts'
import { rpcRefused } from './error.ts'
import { readTask, type TaskPlace } from './task.ts'

export interface Sent {
  readonly run: string
  /** Log position of the last event that the client already has. */
  readonly after: number
  /** Further members of the response's `metadata.strata`. */
  readonly more: object
}

const invalid = (message: string) => rpcRefused('INVALID_PARAMS', message)

export async function send(
  place: TaskPlace,
  entry: AgentEntry | undefined,
  { message, metadata = {}, configuration = {} }: Params<'SendMessage'>,
  unused: readonly string[],
): Promise<Sent> {
  const { acceptedOutputModes: modes = [], taskPushNotificationConfig: push } = configuration
  if (modes.length > 0 && !modes.some(isText))
    throw rpcRefused('CONTENT_TYPE_NOT_SUPPORTED', `The only supported output mode is ${TEXT}.`)
  const pairs = { ...metadata, ...message.metadata }
  if (message.taskId) {
    const isMore = push === undefined && Object.keys(pairs).length === 0
    if (!isMore)
      throw invalid('Metadata and push notifications can be set only with the first message.')
    return { ...(await goOn(place, message, message.taskId)), more: ignoring(unused) }
  }
  if (entry === undefined) throw invalid('Agent not found or not public.')
  const { world, tenant, agent } = place
  const { messageId, contextId } = message
  const input = contentOf(message)
  const request = {
    ...{ agent, input, metadata: pairs },
    ...(contextId ? { session_id: contextId } : {}),
    ...(push === undefined ? {} : { webhook: webhookBy(push) }),
  }
  const idempotency = { scope: `A2A ${agent}`, key: messageId, body: digest(request) }
  const { run, answered: answerInfo } = granted(
    await acceptRun(world, tenant, request, idempotency),
  )
  const ignored = answerInfo?.ignored.filter((name) => name !== 'agent') ?? []
  const after = answerInfo === undefined ? 1 : run.head.seq
  return { run: run.state.spec!.id, after, more: ignoring([...unused, ...ignored]) }
}

/** Returns the `metadata.strata` member that names ignored parameters. */
export const ignoring = (ignored: readonly string[]): object =>
  ignored.length === 0 ? {} : { ignored }

const isText = (mode: string): boolean => /^(?:\*|text)\/(?:\*|plain)$|^\*$/i.test(mode)

/** Sends a message to an active run, which answers a question of the run or of a descendant. */
async function goOn(place: TaskPlace, message: Message, id: string): Promise<Omit<Sent, 'more'>> {
  const { world, tenant } = place
  const { view, facts } = await readTask(place, id)
  const { contextId, messageId } = message
  if (contextId && contextId !== view.state.spec!.session_id)
    throw invalid('The task belongs to another context.')
  const pointer = '/message/parts'
  const content = granted(await readContent(world, tenant, contentOf(message), { pointer }))
  const key = `a2a ${messageId}`
  const asks = (await askingRun(world, tenant, id)) ?? id
  const sent = await sendMessage(world, runPartition(tenant, asks), content, { key, pointer })
  if (!sent.ok && sent.error.code === 'run_ended')
    throw rpcRefused('UNSUPPORTED_OPERATION', 'The task has ended; use its contextId to continue.')
  const { message_id } = granted(sent)
  const received = facts.find(
    ({ fact }) => fact.type === 'message.received' && fact.message_id === message_id,
  )
  return { run: id, after: received?.seq ?? facts.length }
}

const contentOf = ({ parts }: Message): readonly InputPart[] => {
  const content = parts.map(partOf)
  if (content.every((part) => part.type === 'text' && part.text.trim() === ''))
    throw invalid('The message is empty.')
  return content
}

function partOf({ text, raw, url, data, filename, mediaType = '' }: Part): InputPart {
  if (text !== undefined) return { type: 'text', text }
  if (data !== undefined) return { type: 'text', text: JSON.stringify(data) }
  const type = /^image\//i.test(mediaType) ? 'image' : 'file'
  const name = filename === undefined ? {} : { name: filename }
  return { type, ...(raw === undefined ? { url: url! } : { data: raw }), ...name }
}

/**
 * Creates the run's webhook for push notifications. Requires the client's token, because a
 * generated secret would never be shown.
 */
function webhookBy({ id, taskId, url, token }: PushConfig): WebhookRequest {
  if (token === undefined)
    throw invalid(
      'A token is required: `whsec_` followed by 24 to 64 bytes in base64. It signs the ' +
        'notifications.',
    )
  if ((id ?? '') !== '' && id !== PUSH_ID) throw invalid(`The configuration ID must be ${PUSH_ID}.`)
  if ((taskId ?? '') !== '') throw invalid('A new task has no ID yet; omit taskId.')
  return { url, secret: token, format: 'a2a', events: TASK_EVENTS }
}

/** ID of the push configuration; a run has at most one webhook. */
export const PUSH_ID = 'webhook'
