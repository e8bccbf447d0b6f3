/**
 * The official clients of MCP, unmodified: `@modelcontextprotocol/client` in both revisions of the
 * protocol, and the tasks of `@modelcontextprotocol/sdk`, which later ones took out.
 */

import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as TaskClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TaskTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { FILE, type Given, NO_RUN } from '../given.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is expected of it stands below
type Answer = Record<string, any>
type Rest = (request: string, body?: unknown, more?: Record<string, string>) => Promise<Response>

export default async function story(given: Given): Promise<void> {
  const { url, key } = given
  const rest: Rest = (request, body, more = {}) => {
    const [method, path] = request.split(' ')
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more }
    return fetch(`${url}${path}`, { method, headers, body: sent })
  }
  for (const modern of [true, false]) {
    const client = new Client(
      { name: 'program', version: '1' },
      modern ? { versionNegotiation: { mode: 'auto' } } : {},
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), as(key)))
    await runs(client, rest)
    await steered(client)
    await approved(client, rest)
    await resources(client, rest)
    await prompts(client, rest)
    await client.close()
  }
  await tasks(given)
}

const as = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

async function call(client: Client, name: string, given: Answer = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: given })
  const [first] = result.content as { text: string }[]
  return JSON.parse(first.text) as Answer
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100))

async function runs(client: Client, rest: Rest): Promise<void> {
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'runs_create'))
  const seen: Answer[] = []
  const result = await client.callTool(
    { name: 'runs_create', arguments: { input: '@say hello', wait: 30 } },
    { onprogress: (one) => seen.push(one) },
  )
  const run = result.structuredContent as Answer
  assert.deepEqual([run.status, run.output.text], ['completed', 'hello'])
  const { data } = (await (await rest(`GET /v1/runs/${run.id}/events`)).json()) as Answer
  assert.deepEqual(
    seen.map(({ progress, _meta }) => [progress, _meta['strata/event']]),
    data.map((event: Answer) => [event.seq, event]),
  )
  const isListed = async () => {
    const { data: listed } = await call(client, 'runs_list', { limit: 5 })
    return listed.some(({ id }: Answer) => id === run.id)
  }
  while (!(await isListed())) await pause()
  const events = await call(client, 'runs_events', { run_id: run.id })
  assert.deepEqual(events.data, data)
  const missing = await call(client, 'runs_get', { run_id: NO_RUN })
  assert.equal(missing.code, 'not_found')
}

async function until(client: Client, run_id: string, reached: (run: Answer) => boolean) {
  for (;;) {
    const run = await call(client, 'runs_get', { run_id, wait: 1 })
    if (reached(run)) return run
    assert.ok(run.ended_at === null, `it ended: ${JSON.stringify(run)}`)
  }
}

async function steered(client: Client): Promise<void> {
  const input = '@call ask_user {"question":"Which?"}\n@say got {last}'
  const { id: run_id } = await call(client, 'runs_create', { input })
  await until(client, run_id, ({ waiting_on }) => waiting_on === 'input')
  await call(client, 'runs_send', { run_id, content: 'the red one' })
  const done = await until(client, run_id, ({ status }) => status === 'completed')
  assert.match(done.output.text, /the red one/)
  const other = await call(client, 'runs_create', { input })
  await call(client, 'runs_cancel', { run_id: other.id })
  await until(client, other.id, ({ status }) => status === 'cancelled')
}

async function approved(client: Client, rest: Rest): Promise<void> {
  const before = await rest('GET /v1/policy')
  const etag = before.headers.get('etag')!
  const policy = (await before.json()) as Answer
  const asking = { ...policy, approvals: { file_write: 'ask' } }
  const put = await rest('PUT /v1/policy', asking, { 'if-match': etag })
  assert.equal(put.status, 200, await put.clone().text())
  const input = '@call file_write {"path":"x.md","content":"x"}\n@say {last}'
  const { id: run_id } = await call(client, 'runs_create', { input })
  await until(client, run_id, ({ waiting_on }) => waiting_on === 'approval')
  const found = async () => {
    const { data } = await call(client, 'approvals_list')
    return data.find((one: Answer) => one.run_id === run_id)
  }
  let approval = await found()
  for (; !approval; approval = await found()) await pause()
  const approval_id = approval.id
  const decided = await call(client, 'approvals_decide', { approval_id, decision: 'approve' })
  assert.equal(decided.status, 'approved')
  await until(client, run_id, ({ status }) => status === 'completed')
  // The programs behind this one meet the policy as it was.
  const match = { 'if-match': put.headers.get('etag')! }
  const again = await rest('PUT /v1/policy', policy, match)
  assert.equal(again.status, 200, await again.text())
}

async function resources(client: Client, rest: Rest): Promise<void> {
  const path = FILE.split('/').map(encodeURIComponent).join('/')
  const type = { 'content-type': 'application/octet-stream' }
  const put = await rest(`PUT /v1/files/${path}`, 'Wörter', type)
  assert.ok(put.ok, await put.text())
  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri)
  const run = uris.find((uri) => uri.startsWith('strata://runs/'))!
  const { contents } = await client.readResource({ uri: run })
  const [first] = JSON.parse((contents[0] as { text: string }).text) as Answer[]
  assert.equal(first.role, 'user')
  const read = await client.readResource({ uri: `strata://files/${path}` })
  assert.equal((read.contents[0] as { text: string }).text, 'Wörter')
  const none = client.readResource({ uri: `strata://runs/${NO_RUN}/transcript` })
  await assert.rejects(none, { code: -32_602, message: 'Run not found.' })
}

async function prompts(client: Client, rest: Rest): Promise<void> {
  const skill_md = '---\nname: deploy\ndescription: How to deploy\n---\nBy hand.\n'
  const put = await rest('PUT /v1/skills/deploy', { skill_md })
  assert.ok(put.ok, await put.text())
  const { prompts } = await client.listPrompts()
  assert.ok(prompts.some(({ name }) => name === 'deploy'))
  const got = await client.getPrompt({ name: 'deploy', arguments: { input: 'the shop' } })
  const said = got.messages.map(({ content }) => (content as { text: string }).text)
  assert.deepEqual(said, [skill_md, 'the shop'])
}

/** A run is a task: its id is the id of the run. */
async function tasks({ url, key }: Given): Promise<void> {
  const client = new TaskClient({ name: 'program', version: '1' })
  // Its types are older than the compiler's strictness.
  const transport = new TaskTransport(new URL(`${url}/mcp`), as(key))
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0])
  await client.listTools()
  const { tasks } = client.experimental
  const stream = (input: string) =>
    tasks.callToolStream({ name: 'runs_create', arguments: { input } })
  const seen: string[] = []
  let id = ''
  for await (const message of stream('@say hello')) {
    seen.push(message.type)
    if (message.type === 'taskCreated') id = message.task.taskId
    if (message.type !== 'result') continue
    const run = message.result.structuredContent as Answer
    assert.deepEqual([run.id, run.output.text], [id, 'hello'])
  }
  assert.deepEqual([seen[0], seen.at(-1)], ['taskCreated', 'result'])
  assert.equal((await tasks.getTask(id)).status, 'completed')
  // On Workers lists are another store, which follows.
  while (!(await tasks.listTasks()).tasks.some(({ taskId }) => taskId === id)) await pause()
  for await (const message of stream('@call ask_user {"question":"Which?"}')) {
    if (message.type !== 'taskCreated') continue
    id = message.task.taskId
    break
  }
  await tasks.cancelTask(id)
  const result = await tasks.getTaskResult(id, CallToolResultSchema)
  assert.equal((result.structuredContent as Answer).status, 'cancelled')
  await assert.rejects(tasks.cancelTask(id), { code: -32_602 })
  await assert.rejects(tasks.getTask(NO_RUN), /Run not found/)
  await client.close()
}
