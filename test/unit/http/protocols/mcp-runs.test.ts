import { expect, it } from 'vitest'
import * as z from 'zod'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { testApi } from '../../../support/api.ts'
import { BANK, bank, OPEN, setPolicy } from '../../../support/approvals.ts'
import { settle, TENANT } from '../../../support/drive.ts'
import { skill } from '../../../support/layers.ts'
import { mcpCall as call, mcpClient } from '../../../support/mcp-client.ts'

const MODES = ['auto', 'legacy'] as const
const NO_RUN = 'run_00000000000000000000000000'

for (const mode of MODES) {
  it(`MCP starts, reads, lists, and pages runs as REST does (${mode})`, async () => {
    const api = await testApi()
    const client = await mcpClient(api, api.key, mode)
    const metadata = { ticket: '4711' }
    const made = await call(client, 'runs_create', { input: '@say hello', label: 'x', metadata })
    expect(made).toMatchObject({ success: true, is_error: false, status: 'queued' })
    await settle(api.world)
    const rest = async (path: string) => (await api.call(`GET ${path}`)).body
    const same = { success: true, is_error: false }
    const run_id = made.id
    expect(await call(client, 'runs_get', { run_id })).toEqual({
      ...(await rest(`/v1/runs/${run_id}`)),
      ...same,
    })
    expect(await call(client, 'runs_transcript', { run_id })).toEqual({
      ...(await rest(`/v1/runs/${run_id}/transcript`)),
      ...same,
    })
    const page = await call(client, 'runs_events', { run_id, limit: 2 })
    expect(page).toMatchObject({
      has_more: true,
      data: [
        { run_id, seq: 1 },
        { run_id, seq: 2 },
      ],
    })
    const next = await call(client, 'runs_events', { run_id, cursor: page.next_cursor })
    const { data } = await rest(`/v1/runs/${run_id}/events`)
    expect([...page.data, ...next.data]).toEqual(data)
    expect((await call(client, 'runs_events', { run_id, after: 3 })).data).toEqual(data.slice(3))
    await call(client, 'runs_create', { input: '@say other' })
    const found = await call(client, 'runs_list', { metadata, label: 'x', limit: 5 })
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([run_id])
    const late = { created_lt: '2000-01-01T00:00:00Z' }
    expect(await call(client, 'runs_list', late)).toMatchObject({ success: true, data: [] })
  })
}

it('the same idempotency key returns the same run over MCP and REST', async () => {
  const api = await testApi()
  const client = await mcpClient(api)
  const body = { input: '@say once' }
  const key = 'one-key-for-both'
  const made = await call(client, 'runs_create', { ...body, idempotency_key: key })
  const again = await call(client, 'runs_create', { ...body, idempotency_key: key })
  expect(again).toMatchObject({ id: made.id, idempotency_replayed: true })
  const rest = await api.call('POST /v1/runs', body, { 'idempotency-key': key })
  expect(rest.body.id).toBe(made.id)
  const other = await call(client, 'runs_create', { input: '@say two', idempotency_key: key })
  const { body: refused } = await api.call(
    'POST /v1/runs',
    { input: '@say two' },
    {
      'idempotency-key': key,
    },
  )
  expect(other).toMatchObject({ is_error: true, code: refused.code, error: refused.detail })
  expect((await api.call('GET /v1/runs')).body.data).toHaveLength(1)
})

it('a live run is steered and cancelled, and a message to an ended run is refused', async () => {
  const api = await testApi()
  const client = await mcpClient(api)
  const asks = '@call ask_user {"question":"Which?"}\n@say got {last}'
  const { id: run_id } = await call(client, 'runs_create', { input: asks })
  await settle(api.world)
  expect(await call(client, 'runs_get', { run_id })).toMatchObject({ waiting_on: 'input' })
  const listed = await call(client, 'runs_list', { waiting_on: 'input,approval', q: 'which ASK' })
  expect(listed.data).toMatchObject([{ id: run_id }])
  const unknown = await call(client, 'runs_list', { waiting_on: 'nothing' })
  expect(unknown).toMatchObject({ is_error: true, code: 'invalid_query' })
  const sent = await call(client, 'runs_send', { run_id, content: 'the red one' })
  expect(sent).toMatchObject({ success: true, run_id })
  await settle(api.world)
  const done = await call(client, 'runs_get', { run_id })
  expect(done).toMatchObject({ status: 'completed' })
  expect(done.output.text).toContain('the red one')
  const late = await call(client, 'runs_send', { run_id, content: 'too late' })
  const { body } = await api.call(`POST /v1/runs/${run_id}/messages`, { content: 'too late' })
  expect(late).toMatchObject({ is_error: true, code: body.code, error: body.detail })
  const { id } = await call(client, 'runs_create', { input: asks })
  await settle(api.world)
  const cancelling = call(client, 'runs_cancel', { run_id: id, reason: 'enough' })
  await settle(api.world)
  expect(await cancelling).toMatchObject({ success: true, id, cancelled_children: [] })
  await settle(api.world)
  expect(await call(client, 'runs_get', { run_id: id })).toMatchObject({ status: 'cancelled' })
})

it('a client function is declared, called, and answered over MCP', async () => {
  const api = await testApi()
  const client = await mcpClient(api)
  const input = '@call stock {"sku":"MUG-7"}\n@then\n@say {last}'
  const functions = [{ name: 'stock' }]
  const { id: run_id } = await call(client, 'runs_create', { input, functions })
  await settle(api.world)
  const [open] = (await call(client, 'runs_get', { run_id })).function_calls
  expect(open).toMatchObject({ name: 'stock', arguments: { sku: 'MUG-7' } })
  const result = { run_id, call: open.call, output: { count: 12 } }
  expect(await call(client, 'runs_answer_function', result)).toMatchObject({ success: true })
  await settle(api.world)
  const other = { ...result, output: 'none' }
  expect(await call(client, 'runs_answer_function', other)).toMatchObject({ code: 'conflict' })
  const missing = { run_id, output: 'none' }
  expect(await call(client, 'runs_answer_function', missing)).toMatchObject({ is_error: true })
  const done = await call(client, 'runs_get', { run_id })
  expect(done).toMatchObject({ status: 'completed', output: { text: '{"count":12}' } })
})

it('an approval is listed and decided over MCP, once', async () => {
  const { tools, calls } = bank()
  const api = await testApi({ tools, web: OPEN })
  await api.write({ 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
  const client = await mcpClient(api)
  const input = '@call mcp__bank__pay {"amount":1}\n@say {last}'
  const { id: run_id } = await call(client, 'runs_create', { input })
  await settle(api.world)
  const { data } = await call(client, 'approvals_list')
  expect(data).toMatchObject([{ run_id, status: 'pending' }])
  const approval_id = data[0].id
  const one = await call(client, 'approvals_get', { approval_id })
  const { body } = await api.call(`GET /v1/approvals/${approval_id}`)
  expect(one).toEqual({ ...body, success: true, is_error: false })
  expect(calls).toHaveLength(0)
  const odd = await call(client, 'approvals_decide', { approval_id, decision: 'maybe' })
  expect(odd).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/decision' }] })
  const decided = await call(client, 'approvals_decide', { approval_id, decision: 'approve' })
  expect(decided).toMatchObject({ success: true, status: 'approved' })
  await settle(api.world)
  expect(calls).toHaveLength(1)
  const other = await call(client, 'approvals_decide', { approval_id, decision: 'deny' })
  const rest = await api.call(`POST /v1/approvals/${approval_id}/decision`, { decision: 'deny' })
  expect(other).toMatchObject({ is_error: true, code: rest.body.code, error: rest.body.detail })
})

it('MCP decides several approvals and filters them by tool, with the answers of REST', async () => {
  const { tools, calls } = bank()
  const api = await testApi({ tools, web: OPEN })
  await api.write({ 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
  const client = await mcpClient(api)
  const input = '@call mcp__bank__pay {"amount":1}\n@call mcp__bank__pay {"amount":2}\n@say {last}'
  await call(client, 'runs_create', { input })
  await settle(api.world)
  expect((await call(client, 'approvals_list', { tool: 'mcp__bank__look' })).data).toEqual([])
  const { data } = await call(client, 'approvals_list', { tool: 'mcp__bank__pay' })
  const ids = [...data.map(({ id }: { id: string }) => id), `apr_${'0'.repeat(52)}`]
  const twice = await call(client, 'approvals_decide_many', { ids: [ids[0], ids[0]] })
  expect(twice).toMatchObject({ is_error: true, code: 'invalid_request' })
  const body = { ids, decision: 'approve' }
  const decided = await call(client, 'approvals_decide_many', body)
  await settle(api.world)
  expect(calls).toHaveLength(2)
  const rest = await api.call('POST /v1/approvals/decisions', body)
  expect(decided).toEqual({ ...rest.body, success: true, is_error: false })
  expect(rest.body.data).toMatchObject([
    { status: 'approved' },
    { status: 'approved' },
    { code: 'not_found' },
  ])
})

it('refusals have the codes, texts, and pointers of REST', async () => {
  const api = await testApi()
  const client = await mcpClient(api)
  const foreign = await createKey(api.world, 'another', ['*'])
  const theirs = await call(await mcpClient(api, foreign.key), 'runs_create', { input: '@say x' })
  const missing = { is_error: true, code: 'not_found', error: 'Run not found.' }
  for (const run_id of [NO_RUN, theirs.id, 'nonsense', '../sessions', '', '%2e%2e']) {
    const answer = await call(client, 'runs_get', { run_id })
    expect([run_id, answer.is_error, answer.success]).toEqual([run_id, true, false])
  }
  expect(await call(client, 'runs_get', { run_id: NO_RUN })).toMatchObject(missing)
  expect(await call(client, 'runs_get', { run_id: theirs.id })).toMatchObject(missing)
  const pointers = async (tool: string, given: object) => {
    const { code, errors = [] } = await call(client, tool, given)
    return [code, ...errors.map(({ pointer }: { pointer: string }) => pointer)]
  }
  expect(await pointers('runs_get', {})).toEqual(['not_found'])
  expect(await pointers('runs_get', { run_id: 7 })).toEqual(['invalid_request', '/run_id'])
  expect(await pointers('runs_get', { run_id: NO_RUN, after: -1 })).toEqual([
    'invalid_request',
    '/after',
  ])
  expect(await pointers('runs_create', { input: 'x', idempotency_key: 7 })).toEqual([
    'invalid_request',
    '/idempotency_key',
  ])
  expect(await pointers('runs_get', { run_id: NO_RUN, wait: 61 })).toEqual([
    'invalid_query',
    '/wait',
  ])
  expect(await pointers('runs_create', {})).toEqual(['invalid_request', '/input'])
  expect(await pointers('runs_create', { input: 'x', colour: 'red' })).toEqual([
    'invalid_request',
    '/colour',
  ])
  expect(await pointers('runs_create', { input: 'x', wait: 61 })).toEqual([
    'invalid_request',
    '/wait',
  ])
  expect(await pointers('runs_create', { input: 'x', idempotency_key: 'short' })).toEqual([
    'invalid_header',
  ])
  expect(await pointers('runs_list', { status: 'odd' })).toEqual(['invalid_query', '/status/0'])
  expect(await pointers('runs_list', { agent: { a: 1 } })).toEqual(['invalid_query', '/agent.a'])
  expect(await pointers('runs_events', { run_id: NO_RUN, include: 'subagents' })).toEqual([
    'not_found',
  ])
  expect((await api.call('GET /v1/runs')).body.data).toEqual([])
})

it('runs_cancel_many cancels by filter, in pages, with the answer of REST', async () => {
  const api = await testApi()
  const start = async (label: string) =>
    (await api.call('POST /v1/runs', { input: '@say x', label })).body.id
  const ids = [await start('a'), await start('a'), await start('b')]
  const client = await mcpClient(api, api.key, 'legacy')
  expect(await call(client, 'runs_cancel_many', {})).toMatchObject({ is_error: true })
  const first = await call(client, 'runs_cancel_many', { label: 'a', limit: 1, reason: 'enough' })
  expect(first).toMatchObject({ object: 'runs_cancellation', cancelled: 1, has_more: true })
  const cursor = { label: 'a', cursor: first.next_cursor }
  expect(await call(client, 'runs_cancel_many', cursor)).toMatchObject({ cancelled: 1 })
  const statuses = await Promise.all(ids.map((id) => api.call(`GET /v1/runs/${id}`)))
  expect(statuses.map(({ body }) => body.status)).toEqual(['cancelled', 'cancelled', 'queued'])
  const audit = await api.call('GET /v1/audit?action=cancel')
  expect(audit.body.data).toMatchObject([{ via: 'mcp' }, { via: 'mcp' }])
})

it('the scopes of a key apply to tools, tasks, resources, and prompts as in REST', async () => {
  const api = await testApi()
  await api.write({ 'base/AGENTS.md': 'x' })
  const { body: run } = await api.call('POST /v1/runs', { input: '@say x' })
  const { key } = await createKey(api.world, TENANT, ['runs:read'])
  const reader = await mcpClient(api, key, 'legacy')
  const run_id = run.id
  expect(await call(reader, 'runs_get', { run_id })).toMatchObject({ success: true })
  for (const [name, given] of [
    ['runs_create', { input: '@say x' }],
    ['runs_send', { run_id, content: 'x' }],
    ['runs_cancel', { run_id }],
    ['runs_cancel_many', { all: true }],
  ] as const) {
    expect(await call(reader, name, given)).toMatchObject({
      is_error: true,
      code: 'insufficient_scope',
      error: 'The key lacks the scope runs:write.',
    })
  }
  expect(await call(reader, 'approvals_list')).toMatchObject({ code: 'insufficient_scope' })
  const loose = z.looseObject({})
  const cancel = { method: 'tasks/cancel', params: { taskId: run_id } }
  await expect(reader.request(cancel, loose)).rejects.toThrow('lacks the scope runs:write')
  await expect(reader.readResource({ uri: 'strata://files/base/AGENTS.md' })).rejects.toThrow(
    'lacks the scope config:raw',
  )
  await expect(reader.listPrompts()).rejects.toThrow('lacks the scope layers:read')
  const { resources } = await reader.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([`strata://runs/${run_id}/transcript`])
  const files = await createKey(api.world, TENANT, ['config:raw'])
  const other = await (await mcpClient(api, files.key)).listResources()
  expect(other.resources.map(({ uri }) => uri)).toEqual(['strata://files/base/AGENTS.md'])
  const none = await createKey(api.world, TENANT, ['layers:read'])
  const nothing = await mcpClient(api, none.key)
  await expect(nothing.listResources()).rejects.toThrow('lacks the scope runs:read')
})

for (const mode of MODES) {
  it(`events arrive as progress notifications while a call waits (${mode})`, async () => {
    const api = await testApi()
    const client = await mcpClient(api, api.key, mode)
    const seen: { progress: number; _meta?: Record<string, unknown> }[] = []
    const onprogress = (one: { progress: number }) => seen.push(one)
    const given = { input: '@say hello', wait: 30 }
    const waiting = client.callTool({ name: 'runs_create', arguments: given }, { onprogress })
    const stop = new AbortController()
    const driving = (async () => {
      while (!stop.signal.aborted) {
        await settle(api.world)
        await new Promise(setImmediate)
      }
    })()
    const result = await waiting
    stop.abort()
    await driving
    const run = result.structuredContent as { id: string; status: string }
    expect(run.status).toBe('completed')
    const { data } = (await api.call(`GET /v1/runs/${run.id}/events`)).body
    expect(seen.map(({ _meta }) => _meta?.['strata/event'])).toEqual(data)
    expect(seen.map(({ progress }) => progress)).toEqual(
      data.map(({ seq }: { seq: number }) => seq),
    )
    seen.length = 0
    const again = { run_id: run.id, wait: 30, after: 2 }
    await client.callTool({ name: 'runs_get', arguments: again }, { onprogress })
    expect(seen[0]?.progress).toBe(3)
    expect(seen).toHaveLength(data.length - 2)
  })
}

it('a run is a task with its ID: it can be started, read, listed, awaited, and cancelled', async () => {
  const api = await testApi()
  const client = await mcpClient(api, api.key, 'legacy')
  expect(client.getServerCapabilities()).toMatchObject({
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  })
  const loose = z.looseObject({})
  const ask = (method: string, params: object) => client.request({ method, params } as never, loose)
  const start = (input: string) =>
    ask('tools/call', { name: 'runs_create', arguments: { input }, task: { ttl: 60_000 } })
  const { task } = (await start('@say hello')) as { task: { taskId: string } }
  expect(task).toMatchObject({ status: 'working', ttl: null, pollInterval: 1_000 })
  const { taskId } = task
  expect((await api.call(`GET /v1/runs/${taskId}`)).status).toBe(200)
  await settle(api.world)
  expect(await ask('tasks/get', { taskId })).toMatchObject({ taskId, status: 'completed' })
  const result = await ask('tasks/result', { taskId })
  expect(result).toMatchObject({
    structuredContent: { id: taskId, status: 'completed', output: { text: 'hello' } },
    _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
  })
  expect(result.isError).toBeUndefined()
  const asks = (await start('@call ask_user {"question":"Which?"}')) as typeof result
  await settle(api.world)
  const second = (asks.task as { taskId: string }).taskId
  expect(await ask('tasks/get', { taskId: second })).toMatchObject({ status: 'input_required' })
  const listed = (await ask('tasks/list', {})) as { tasks: { taskId: string }[] }
  expect(listed.tasks.map((one) => one.taskId)).toEqual(expect.arrayContaining([second, taskId]))
  const cancelling = ask('tasks/cancel', { taskId: second })
  await settle(api.world)
  await cancelling
  await settle(api.world)
  expect(await ask('tasks/get', { taskId: second })).toMatchObject({ status: 'cancelled' })
  expect(await ask('tasks/result', { taskId: second })).toMatchObject({ isError: true })
  await expect(ask('tasks/cancel', { taskId })).rejects.toMatchObject({ code: -32_602 })
  const foreign = await createKey(api.world, 'another', ['*'])
  const theirs = await mcpClient(api, foreign.key, 'legacy')
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    const unknown = { code: -32_602, message: expect.stringContaining('Run not found.') }
    await expect(ask(method, { taskId: NO_RUN })).rejects.toMatchObject(unknown)
    const other = theirs.request({ method, params: { taskId } } as never, loose)
    await expect(other).rejects.toMatchObject(unknown)
    await expect(ask(method, {})).rejects.toMatchObject({ code: -32_602 })
  }
  await expect(ask('tasks/list', { cursor: 'odd' })).rejects.toThrow('cursor')
  await expect(start('')).rejects.toMatchObject({ code: -32_602 })
  const tool = { name: 'skills_list', arguments: {}, task: {} }
  await expect(ask('tools/call', tool)).rejects.toMatchObject({ code: -32_601 })
})

it('transcripts and files are resources; unknown ones and those of other tenants give one error', async () => {
  const api = await testApi()
  const client = await mcpClient(api)
  const odd = 'base/notes/wörter und mehr.md'
  await api.write({ 'base/AGENTS.md': 'Be kind.', [odd]: 'ja' })
  await api.world.objects.put(`${TENANT}/files/base/x.png`, Uint8Array.of(0x89, 0xff), 'any')
  const { body: run } = await api.call('POST /v1/runs', { input: '@say hello' })
  await settle(api.world)
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'strata://runs/{id}/transcript',
    'strata://files/{+path}',
  ])
  const all: { uri: string }[] = []
  let cursor: string | undefined
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor })
    all.push(...page.resources)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(all.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining([`strata://runs/${run.id}/transcript`, 'strata://files/base/x.png']),
  )
  const text = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    return (contents[0] as { text: string }).text
  }
  const { body } = await api.call(`GET /v1/runs/${run.id}/transcript`)
  expect(JSON.parse(await text(`strata://runs/${run.id}/transcript`))).toEqual(body.data)
  const listed = all.find(({ uri }) => decodeURIComponent(uri).endsWith(odd))
  expect(await text(listed!.uri)).toBe('ja')
  const png = await client.readResource({ uri: 'strata://files/base/x.png' })
  expect(png.contents).toMatchObject([{ mimeType: 'image/png', blob: 'if8=' }])
  const refused = async (uri: string, by = client) => {
    const error = await by.readResource({ uri }).then(
      () => undefined,
      ({ code, message, data }) => ({ code, message, problem: data?.code }),
    )
    expect([uri, error?.code]).toEqual([uri, -32_602])
    return error
  }
  const foreign = await createKey(api.world, 'another', ['*'])
  const theirs = await mcpClient(api, foreign.key)
  const unknown = await refused(`strata://runs/${NO_RUN}/transcript`)
  expect(unknown).toMatchObject({ problem: 'not_found' })
  expect(await refused(`strata://runs/${run.id}/transcript`, theirs)).toEqual(unknown)
  const gone = await refused('strata://files/base/none.md')
  expect(await refused('strata://files/base/AGENTS.md', theirs)).toEqual(gone)
  for (const uri of [
    'strata://files/',
    'strata://files/base/../../another/files/base/AGENTS.md',
    'strata://files/%2e%2e/x',
    'strata://files/..',
    'strata://files/%zz',
    'strata://runs/../transcript',
    'strata://runs/%2e%2e/transcript',
    `strata://runs/${run.id}`,
    'file:///etc/passwd',
    'x',
  ]) {
    await refused(uri)
  }
  await expect(client.listResources({ cursor: 'odd' })).rejects.toMatchObject({ code: -32_602 })
  await expect(client.listResources({ cursor: 'runs:odd' })).rejects.toThrow('cursor')
})

it('skills of the base layer are prompts', async () => {
  const api = await testApi()
  const client = await mcpClient(api)
  const text = skill('how to deploy', 'Deploy by hand.')
  await api.write({
    'base/.agents/skills/deploy/SKILL.md': text,
    'base/.agents/skills/off/SKILL.md': text,
    'roles/support/.agents/skills/refund/SKILL.md': text,
  })
  await api.call('PATCH /v1/skills/off', { enabled: false })
  const { prompts } = await client.listPrompts()
  expect(prompts).toMatchObject([{ name: 'deploy', arguments: [{ name: 'input' }] }])
  const got = await client.getPrompt({ name: 'deploy', arguments: { input: 'the shop' } })
  const { body } = await api.call('GET /v1/skills/deploy')
  expect(got.messages.map(({ content }) => (content as { text: string }).text)).toEqual([
    body.skill_md,
    'the shop',
  ])
  expect((await client.getPrompt({ name: 'deploy' })).messages).toHaveLength(1)
  await api.write({
    'base/.agents/skills/fix/SKILL.md': skill(
      'how to fix',
      'Fix $ARGUMENTS by ${CLAUDE_SKILL_DIR}/a.sh.',
    ),
  })
  const filled = await client.getPrompt({ name: 'fix', arguments: { input: 'issue 7' } })
  const texts = filled.messages.map(({ content }) => (content as { text: string }).text)
  expect(texts).toEqual([
    expect.stringContaining('Fix issue 7 by ${CLAUDE_SKILL_DIR}/a.sh.'),
    expect.stringContaining('Unfilled: ${CLAUDE_SKILL_DIR}'),
  ])
  for (const name of ['none', 'off', 'refund', '..']) {
    await expect(client.getPrompt({ name })).rejects.toMatchObject({ code: -32_602 })
  }
  const odd = client.getPrompt({ name: 'deploy', arguments: { colour: 'red' } })
  await expect(odd).rejects.toThrow('Unknown argument colour')
})

it.each(['\0', 'a\nb', 'schlüssel-€', 'with blanks in it', ''])(
  'an invalid idempotency key is refused as in REST: %j',
  async (idempotency_key) => {
    const api = await testApi()
    const client = await mcpClient(api)
    expect(await call(client, 'runs_create', { input: '@say x', idempotency_key })).toMatchObject({
      is_error: true,
      code: 'invalid_header',
      error: 'An Idempotency-Key must have 8 to 200 characters from A-Z a-z 0-9 _ : -',
    })
    expect((await api.call('GET /v1/runs')).body.data).toEqual([])
  },
)
