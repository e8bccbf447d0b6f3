/** The official `@a2a-js/sdk`, unmodified: cards, messages, streams, tasks, push notifications. */

import assert from 'node:assert/strict'
import { Role, StreamResponse, type Task, TaskState } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import { Webhook } from 'standardwebhooks'
import { FILE, type Given, NO_RUN } from '../given.ts'

let api: Given

export default async function story(given: Given): Promise<void> {
  api = given
  const factory = factoryFor(given.key)
  await cards(factory)
  const client = await factory.createFromUrl(`${given.url}/v1/a2a/general/`)
  await plain(client)
  await inContext(client)
  await streamed(client)
  await answered(client)
  await approved(client)
  await cancelled(client)
  await pushed(client)
  await listed(client)
  await errors(factory, client)
}

function factoryFor(key: string): ClientFactory {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ authorization: `Bearer ${key}` }),
    shouldRetryWithHeaders: async () => undefined,
  })
  return new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  )
}

const message = (text: string, more: { taskId?: string; contextId?: string } = {}) => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_USER,
  parts: [
    {
      content: { $case: 'text' as const, value: text },
      metadata: undefined,
      filename: '',
      mediaType: '',
    },
  ],
  taskId: more.taskId ?? '',
  contextId: more.contextId ?? '',
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})
const request = (given: ReturnType<typeof message>, configuration?: object) => ({
  ...{ tenant: '', message: given, metadata: undefined },
  configuration: configuration as never,
})

async function send(client: Client, ...args: Parameters<typeof message>): Promise<Task> {
  const result = await client.sendMessage(request(message(...args)))
  assert.ok('status' in result)
  return result
}

const textsOf = ({ artifacts }: Pick<Task, 'artifacts'>): string[] =>
  artifacts.flatMap(({ parts }) =>
    parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')),
  )
const stateOf = ({ status }: Task) => status?.state

async function cards(factory: ClientFactory): Promise<void> {
  const open = await new DefaultAgentCardResolver().resolve(api.url)
  assert.equal(open.name, 'Strata')
  assert.equal(open.supportedInterfaces[0].protocolVersion, '1.0')
  const client = await factory.createFromUrl(api.url)
  const extended = await client.getAgentCard()
  assert.equal(extended.skills[0].id, 'general')
  const path = '/v1/a2a/explore/.well-known/agent-card.json'
  const explore = await (await factory.createFromUrl(api.url, path)).getAgentCard()
  assert.match(explore.supportedInterfaces[0].url, /\/v1\/a2a\/explore$/)
}

async function plain(client: Client): Promise<void> {
  const given = message('@say hello')
  const sent = request(given)
  const task = (await client.sendMessage(sent)) as Task
  assert.equal(stateOf(task), TaskState.TASK_STATE_COMPLETED)
  assert.deepEqual(textsOf(task), ['hello'])
  assert.equal(task.history[0].role, Role.ROLE_USER)
  assert.equal(task.metadata?.strata.run_id, task.id)
  // The same message is the same task, and the run is the one that the rest of the API knows.
  assert.equal(((await client.sendMessage(sent)) as Task).id, task.id)
  const run = await call(`/v1/runs/${task.id}`)
  assert.deepEqual([run.status, run.output.text], ['completed', 'hello'])
  const short = await client.getTask({ tenant: '', id: task.id, historyLength: 0 })
  assert.deepEqual([short.history, textsOf(short)], [[], ['hello']])
  const picture = message('look')
  picture.parts.unshift({
    content: { $case: 'raw', value: Buffer.from(PNG, 'base64') } as never,
    ...{ metadata: undefined, filename: 'dot.png', mediaType: 'image/png' },
  })
  assert.match(textsOf((await client.sendMessage(request(picture))) as Task)[0], /dot\.png/)
  const later = await client.sendMessage(
    request(message('@slow 300\n@say later'), { returnImmediately: true }),
  )
  assert.equal(stateOf(later as Task), TaskState.TASK_STATE_SUBMITTED)
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function call(path: string, method = 'GET', body?: unknown) {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${path}: ${response.status}`)
  return response.json()
}

async function inContext(client: Client): Promise<void> {
  const first = await send(client, '@say one')
  const second = await send(client, '@say two', { contextId: first.contextId })
  assert.equal(second.contextId, first.contextId)
  assert.notEqual(second.id, first.id)
}

/** Subscribes to a task that goes on; returns what reads its events, from the first one on. */
async function subscribed(client: Client, id: string): Promise<() => Promise<StreamResponse[]>> {
  const events = client.resubscribeTask({ tenant: '', id })
  const first = await events.next()
  assert.ok(first.done !== true, 'the subscription begins with the task')
  return async () => [first.value, ...(await all(events))]
}

async function all(events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const found: StreamResponse[] = []
  for await (const event of events) found.push(event)
  return found
}
const statesOf = (events: readonly StreamResponse[]) =>
  events.flatMap(({ payload }) =>
    payload?.$case === 'statusUpdate' ? [payload.value.status?.state] : [],
  )
/** The text of each artifact, put together as A2A says. */
function written(events: readonly StreamResponse[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { payload } of events) {
    if (payload?.$case !== 'artifactUpdate') continue
    const { artifact, append } = payload.value
    const id = artifact?.artifactId ?? ''
    texts.set(id, (append ? (texts.get(id) ?? '') : '') + textsOf({ artifacts: [artifact!] })[0])
  }
  return texts
}

async function streamed(client: Client): Promise<void> {
  const text = 'a long answer '.repeat(20).trim()
  const events = await all(client.sendMessageStream(request(message(`@slow 800\n@say ${text}`))))
  const [first] = events
  assert.ok(first.payload?.$case === 'task')
  assert.equal(stateOf(first.payload.value), TaskState.TASK_STATE_SUBMITTED)
  assert.deepEqual(statesOf(events), [TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED])
  assert.deepEqual([...written(events)], [['text-0', text]])
  const pieces = events.filter(({ payload }) => payload?.$case === 'artifactUpdate')
  assert.ok(pieces.length > 1, 'the text comes in pieces')

  // A stream that is cut: the same client subscribes, and sees the rest.
  const given = request(message(`@slow 3000\n@say ${text}`))
  let id = ''
  for await (const { payload } of client.sendMessageStream(given)) {
    if (payload?.$case === 'task') id = payload.value.id
    break
  }
  const rest = await all(client.resubscribeTask({ tenant: '', id }))
  assert.equal(statesOf(rest).at(-1), TaskState.TASK_STATE_COMPLETED)
  assert.deepEqual([...written(rest)], [['text-0', text]])
  // From a place in the log on, also after the end.
  const serviceParameters = { 'last-event-id': '1' }
  const again = await all(client.resubscribeTask({ tenant: '', id }, { serviceParameters }))
  assert.deepEqual(statesOf(again), [TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED])
  assert.deepEqual([...written(again)], [['text-0', text]])
  await assert.rejects(all(client.resubscribeTask({ tenant: '', id })), {
    name: 'UnsupportedOperationError',
  })
}

async function answered(client: Client): Promise<void> {
  const asks = '@call ask_user {"question":"Which one?"}\n@say you want {last}'
  const asked = await send(client, asks)
  assert.equal(stateOf(asked), TaskState.TASK_STATE_INPUT_REQUIRED)
  const question = asked.status?.message?.parts[0].content
  assert.equal(question?.value, 'Which one?')
  const done = await send(client, 'blue', { taskId: asked.id, contextId: asked.contextId })
  assert.equal(done.id, asked.id)
  assert.equal(stateOf(done), TaskState.TASK_STATE_COMPLETED)
  assert.match(textsOf(done).at(-1) ?? '', /^you want .*blue/)
  // The same in streams: the one that asks ends, the answer has its own.
  const events = await all(client.sendMessageStream(request(message(asks))))
  assert.equal(statesOf(events).at(-1), TaskState.TASK_STATE_INPUT_REQUIRED)
  const first = events[0].payload
  assert.ok(first?.$case === 'task')
  const taskId = first.value.id
  const rest = await all(client.sendMessageStream(request(message('red', { taskId }))))
  assert.equal(statesOf(rest).at(-1), TaskState.TASK_STATE_COMPLETED)
  await assert.rejects(client.sendMessage(request(message('more', { taskId }))), {
    name: 'UnsupportedOperationError',
  })
}

async function approved(client: Client): Promise<void> {
  const back = await asksBeforeWriting()
  const task = await send(
    client,
    '@call file_write {"path":"a.md","content":"a"}\n@then\n@say written',
  )
  assert.equal(stateOf(task), TaskState.TASK_STATE_AUTH_REQUIRED)
  const [, id] = /approvals\/(apr_\w+)/.exec(String(task.status?.message?.parts[0].content?.value))!
  const { args_hash } = await call(`/v1/approvals/${id}`)
  const events = await subscribed(client, task.id)
  await call(`/v1/approvals/${id}/decision`, 'POST', { decision: 'approve', args_hash })
  assert.equal(statesOf(await events()).at(-1), TaskState.TASK_STATE_COMPLETED)
  await back()
}

/** The policy, until it is put back. */
async function asksBeforeWriting(): Promise<() => Promise<void>> {
  const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' }
  const change = async (approvals: (before: object) => object): Promise<object> => {
    const read = await fetch(`${api.url}/v1/policy`, { headers })
    const policy = await read.json()
    const written = await fetch(`${api.url}/v1/policy`, {
      method: 'PUT',
      headers: { ...headers, 'if-match': read.headers.get('etag') ?? '' },
      body: JSON.stringify({ ...policy, approvals: approvals(policy.approvals) }),
    })
    assert.ok(written.ok, await written.text())
    return policy.approvals
  }
  const before = await change((approvals) => ({ ...approvals, file_write: 'ask' }))
  return async () => void (await change(() => before))
}

async function cancelled(client: Client): Promise<void> {
  const given = request(message('@slow 20000\n@say no'), { returnImmediately: true })
  const { id } = (await client.sendMessage(given)) as Task
  const events = await subscribed(client, id)
  const cancel = { tenant: '', id, metadata: undefined }
  await client.cancelTask(cancel)
  assert.equal(statesOf(await events()).at(-1), TaskState.TASK_STATE_CANCELED)
  await assert.rejects(client.cancelTask(cancel), { name: 'TaskNotCancelableError' })
}

const placeOf = ({ metadata }: { metadata?: Record<string, unknown> }): unknown =>
  (metadata?.strata as { seq?: number } | undefined)?.seq

async function pushed(client: Client): Promise<void> {
  const token = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
  const config = {
    ...{ tenant: '', id: '', taskId: '', url: api.receiver, token },
    authentication: undefined,
  }
  const given = request(message('@say pushed'), { taskPushNotificationConfig: config })
  const { id } = (await client.sendMessage(given)) as Task
  const { body: text, headers } = await api.message()
  assert.equal(headers['content-type'], 'application/a2a+json')
  const { payload } = StreamResponse.fromJSON(
    new Webhook(token).verify(text, headers as Record<string, string>),
  )
  assert.ok(payload?.$case === 'statusUpdate')
  assert.equal(payload.value.taskId, id)
  assert.equal(payload.value.status?.state, TaskState.TASK_STATE_COMPLETED)
  // The same place in the log as the stream would name.
  const task = await client.getTask({ tenant: '', id, historyLength: 0 })
  assert.equal(payload.value.contextId, task.contextId)
  assert.equal(placeOf(payload.value), placeOf(task))
  const list = { tenant: '', taskId: id, pageSize: 0, pageToken: '' }
  const { configs } = await client.listTaskPushNotificationConfig(list)
  assert.deepEqual(
    configs.map(({ id: name, url, token: shown }) => [name, url, shown]),
    [['webhook', api.receiver, '']],
  )
  const one = { tenant: '', taskId: id, id: 'webhook' }
  assert.equal((await client.getTaskPushNotificationConfig(one)).url, api.receiver)
  await assert.rejects(client.createTaskPushNotificationConfig({ ...config, taskId: id }), {
    name: 'UnsupportedOperationError',
  })
}

async function listed(client: Client): Promise<void> {
  const query = {
    ...{ tenant: '', contextId: '', status: TaskState.TASK_STATE_CANCELED, pageToken: '' },
    statusTimestampAfter: undefined,
  }
  let { tasks } = await client.listTasks({ ...query, pageSize: 10 })
  // On Workers lists follow what has happened by moments.
  while (tasks.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    tasks = (await client.listTasks({ ...query, pageSize: 10 })).tasks
  }
  assert.ok(tasks.length > 0 && tasks.every((task) => stateOf(task) === query.status))
  const all = { ...query, status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: 3 }
  const first = await client.listTasks(all)
  assert.equal(first.tasks.length, 3)
  const next = await client.listTasks({ ...all, pageToken: first.nextPageToken })
  const known = new Set(first.tasks.map(({ id }) => id))
  assert.ok(next.tasks.length === 3 && next.tasks.every(({ id }) => !known.has(id)))
}

async function errors(factory: ClientFactory, client: Client): Promise<void> {
  await assert.rejects(client.getTask({ tenant: '', id: NO_RUN }), { name: 'TaskNotFoundError' })
  await assert.rejects(client.getTask({ tenant: '', id: FILE }), { name: 'TaskNotFoundError' })
  // A task of another agent is none.
  const { id } = await send(client, '@say mine')
  const other = await factory.createFromUrl(`${api.url}/v1/a2a/explore/`)
  await assert.rejects(other.getTask({ tenant: '', id }), { name: 'TaskNotFoundError' })
  const modes = request(message('x'), { acceptedOutputModes: ['image/png'] })
  await assert.rejects(client.sendMessage(modes), { name: 'ContentTypeNotSupportedError' })
  await assert.rejects(send(client, '  '), { name: 'RequestMalformedError' })
  const stranger = factoryFor('nobody')
  await assert.rejects(stranger.createFromUrl(`${api.url}/v1/a2a/general/`), /401/)
}
