/** The official `@ag-ui/client`, unmodified: turns of a thread, tools of the caller, interrupts. */

import assert from 'node:assert/strict'
import { type BaseEvent, HttpAgent, type Message, type RunAgentParameters } from '@ag-ui/client'
import type { Given } from '../given.ts'

let api: Given

export default async function story(given: Given): Promise<void> {
  api = given
  // The client prints what it rejects with, and rejections are wanted here.
  const { error } = console
  console.error = () => undefined
  await plain()
  await streamed()
  await withHistory()
  await withTools()
  await withServerTools()
  await interrupted()
  await resumed()
  await failed()
  await ignored()
  await refused()
  console.error = error
}

/** Events carry more than the base says. */
type Event = BaseEvent & {
  readonly delta?: string
  readonly outcome?: { readonly type: string; readonly pendingToolCallIds: readonly string[] }
}
const placeOf = (event: Event | undefined): { run_id: string; seq: number } =>
  event?.metadata?.strata

function agentOf(config: object = {}, name = 'general'): HttpAgent {
  const headers = { authorization: `Bearer ${api.key}` }
  return new HttpAgent({ url: `${api.url}/v1/ag-ui/${name}`, headers, ...config })
}

async function run(agent: HttpAgent, text?: string, more: RunAgentParameters = {}) {
  if (text !== undefined) agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
  const events: Event[] = []
  const { newMessages, result } = await agent.runAgent(more, {
    onEvent: ({ event }) => void events.push(event as Event),
  })
  return { events, newMessages, result }
}

const typesOf = (events: readonly Event[]): string[] => events.map(({ type }) => type)
const lastOf = (messages: readonly Message[]): unknown => messages.at(-1)?.content

async function call(path: string) {
  const response = await fetch(`${api.url}${path}`, {
    headers: { authorization: `Bearer ${api.key}` },
  })
  assert.ok(response.ok, `${path}: ${response.status}`)
  return response.json()
}

async function plain(): Promise<void> {
  const agent = agentOf()
  const context = [{ description: 'The page', value: '/orders/48213' }]
  const first = await run(agent, '@say one', { context })
  assert.equal(lastOf(first.newMessages), 'one')
  assert.deepEqual(typesOf(first.events), [
    'RUN_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ])
  // One identity everywhere: the run, and the place in its log.
  const { run_id } = placeOf(first.events[0])
  const found = await call(`/v1/runs/${run_id}`)
  assert.equal(found.output.text, 'one')
  const { data } = await call(`/v1/runs/${run_id}/events`)
  const { seq } = placeOf(first.events.at(-1))
  assert.equal(data.at(-1).seq, seq)
  // The next turn of the thread is the next run of the session.
  const second = await run(agent, '@say two')
  assert.equal(lastOf(second.newMessages), 'two')
  const next = await call(`/v1/runs/${placeOf(second.events[0]).run_id}`)
  assert.equal(next.session_id, found.session_id)
  assert.notEqual(next.id, found.id)
}

async function streamed(): Promise<void> {
  const text = 'a long answer '.repeat(20).trim()
  const { events, newMessages } = await run(agentOf(), `@slow 800\n@say ${text}`)
  const pieces = events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  assert.ok(pieces.length > 1, 'the text comes in pieces')
  assert.equal(pieces.map(({ delta }) => delta).join(''), text)
  assert.equal(lastOf(newMessages), text)
}

/** A thread that the server does not know brings its conversation. */
async function withHistory(): Promise<void> {
  const initialMessages: Message[] = [
    { id: '1', role: 'system', content: 'Be brief.' },
    { id: '2', role: 'user', content: 'Hello' },
    { id: '3', role: 'assistant', content: 'Hello!' },
  ]
  const { newMessages, events } = await run(agentOf({ initialMessages }), '@say again')
  assert.equal(lastOf(newMessages), 'again')
  const { data } = await call(`/v1/runs/${placeOf(events[0]).run_id}/events`)
  assert.match(JSON.stringify(data[0].data), /Hello!/)
}

const WEATHER = {
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

async function withTools(): Promise<void> {
  const agent = agentOf()
  const tools = [WEATHER]
  const script =
    '@text Looking.\n@call get_weather {"city":"Paris"}\n@call get_weather {"city":"Rome"}\n' +
    '@say it is {last}'
  const asked = await run(agent, script, { tools })
  assert.equal(asked.events.at(-1)?.outcome?.pendingToolCallIds.length, 2)
  const [message] = asked.newMessages
  assert.ok(message.role === 'assistant')
  assert.equal(message.content, 'Looking.')
  const calls = message.toolCalls ?? []
  assert.deepEqual(
    calls.map((one) => JSON.parse(one.function.arguments).city),
    ['Paris', 'Rome'],
  )
  const bring = (toolCallId: string, index: number): void =>
    agent.addMessage({ id: `${toolCallId}r`, role: 'tool', toolCallId, content: `sunny ${index}` })
  // One of two results does not do.
  bring(calls[0].id, 0)
  await assert.rejects(run(agent, undefined, { tools }), /No tool output found/)
  bring(calls[1].id, 1)
  const done = await run(agent, undefined, { tools })
  assert.equal(lastOf(done.newMessages), 'it is sunny 1')
  const runs = [asked, done].map(({ events }) => placeOf(events[0]).run_id)
  assert.equal(runs[0], runs[1])
}

async function withServerTools(): Promise<void> {
  const { events, newMessages } = await run(
    agentOf(),
    '@call file_write {"path":"a.md","content":"a"}\n@then\n@say written',
  )
  const types = typesOf(events)
  assert.ok(types.indexOf('TOOL_CALL_RESULT') > types.indexOf('TOOL_CALL_END'))
  assert.deepEqual(
    newMessages.map(({ role }) => role),
    ['assistant', 'tool', 'assistant'],
  )
}

async function interrupted(): Promise<void> {
  const asks = '@call ask_user {"question":"Which one?"}\n@say you want {last}'
  const agent = agentOf()
  const asked = await run(agent, asks)
  assert.equal(asked.events.at(-1)?.outcome?.type, 'interrupt')
  const [{ id, message }] = agent.pendingInterrupts
  assert.equal(message, 'Which one?')
  const resume = [{ interruptId: id, status: 'resolved' as const, payload: 'blue' }]
  const done = await run(agent, undefined, { resume })
  assert.match(String(lastOf(done.newMessages)), /^you want .*blue/)
  assert.deepEqual(agent.pendingInterrupts, [])
  // A client that knows no interrupts answers by its next message.
  const plainly = agentOf()
  await run(plainly, asks)
  plainly.pendingInterrupts = []
  assert.match(String(lastOf((await run(plainly, 'red')).newMessages)), /^you want .*red/)
}

/** A stream that is cut goes on behind the last event that was read, under the same id. */
async function resumed(): Promise<void> {
  const runId = crypto.randomUUID()
  const threadId = crypto.randomUUID()
  const text = '@call file_list {}\n@then\n@slow 500\n@say the end'
  const initialMessages: Message[] = [{ id: '1', role: 'user', content: text }]
  const first = await run(agentOf({ threadId, initialMessages }), undefined, { runId })
  const whole = await run(agentOf({ threadId, initialMessages }), undefined, { runId })
  assert.deepEqual(identities(whole.events), identities(first.events))
  const { seq } = placeOf(first.events.find(({ type }) => type === 'TOOL_CALL_RESULT'))
  const headers = { authorization: `Bearer ${api.key}`, 'last-event-id': String(seq) }
  const rest = await run(agentOf({ threadId, initialMessages, headers }), undefined, { runId })
  assert.deepEqual(typesOf(rest.events), [
    'RUN_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ])
}
const identities = (events: readonly Event[]) => [
  ...new Set(events.flatMap(({ metadata }) => (metadata ? [JSON.stringify(metadata)] : []))),
]

async function failed(): Promise<void> {
  const agent = agentOf()
  agent.addMessage({ id: '1', role: 'user', content: '@fail 400' })
  const events: Event[] = []
  await agent
    .runAgent({}, { onEvent: ({ event }) => void events.push(event as Event) })
    .catch(() => undefined)
  assert.equal(events.at(-1)?.type, 'RUN_ERROR')
  // The next message is the only one that is new.
  const next = await run(agent, '@say better')
  assert.equal(lastOf(next.newMessages), 'better')
  const { data } = await call(`/v1/runs/${placeOf(next.events[0]).run_id}/events`)
  assert.doesNotMatch(JSON.stringify(data[0].data), /@fail/)
}

/** What means nothing here is named by the first event. */
async function ignored(): Promise<void> {
  const agent = agentOf({ initialState: { count: 1 } })
  const { events, newMessages } = await run(agent, '@say taken', { forwardedProps: { a: 1 } })
  assert.equal(lastOf(newMessages), 'taken')
  const { strata } = events[0]?.metadata ?? {}
  assert.deepEqual([...strata.ignored].sort(), ['forwardedProps', 'state'])
}

async function refused(): Promise<void> {
  await assert.rejects(run(agentOf({}, 'nobody'), 'x'), /422/)
  await assert.rejects(run(agentOf({ headers: { authorization: 'Bearer no' } }), 'x'), /401/)
  await assert.rejects(run(agentOf()), /422/)
}
