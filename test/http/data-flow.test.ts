/** The data-flow policy: untrusted text is followed wherever it goes, and asks before it goes out. */

import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { readDocument } from '../../src/hosts/hands/documents.ts'
import { fail, ok } from '../../src/lib/outcome.ts'
import type { LogEntry, Model, Tools, WebRequest } from '../../src/ports/world.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { setPolicy } from '../support/approvals.ts'
import { settle, startRun } from '../support/drive.ts'
import { agent } from '../support/layers.ts'
import { scriptModel, spawn } from '../support/script.ts'

const SERVERS = ['shop', 'own'].map(
  (one) => `[mcp_servers.${one}]\nurl = "https://${one}.example/"\n`,
)
const SCHEMA = { type: 'object', properties: { text: { type: 'string' } } }
const PAGE = 'https://a.example/x'

/** A page, a server with `read` and `post`, and all that went out. */
function outside() {
  const sent: string[] = []
  const tools: Tools = {
    probe: async () => fail('none'),
    forget: () => undefined,
    list: async () =>
      ok([
        ...['read', 'long'].map((name) => ({
          ...{ name, description: 'Reads.', input_schema: SCHEMA, repeatable: true },
          ...({ read_only: true } as const),
        })),
        { name: 'post', description: 'Posts.', input_schema: SCHEMA, repeatable: false },
        // Doing it twice is doing it once, but it is done.
        { name: 'set', description: 'Sets.', input_schema: SCHEMA, repeatable: true },
      ]),
    call: async (_, server, { tool }) => {
      sent.push(`${server.name} ${tool}`)
      return ok({ text: tool === 'long' ? 'text '.repeat(1_800) : 'text', is_error: false })
    },
  }
  const web = {
    check: () => undefined,
    send: async ({ url }: WebRequest) => {
      if (!url.endsWith('/robots.txt')) sent.push(url)
      const status = url.endsWith('/robots.txt') ? 404 : 200
      return ok({ status, headers: { 'content-type': 'text/plain' }, body: 'a page' })
    },
  }
  const lines: LogEntry[] = []
  return {
    sent,
    tools,
    web,
    documents: { read: readDocument },
    log: { write: (line: LogEntry) => void lines.push(line) },
    lines,
  }
}

let api: TestApi
let out: ReturnType<typeof outside>
const begin = async (more: { readonly model?: Model } = {}) => {
  out = outside()
  api = await testApi({ ...out, settings: { maxDepth: 2 }, ...more })
  await api.write({
    'base/.agents/config.toml': SERVERS.join(''),
    'base/.agents/agents/reader.md': agent('You read.', 'reader'),
  })
}
beforeEach(() => begin())

type Rule = 'allow' | 'ask' | 'deny'
const rule = (outward_after_untrusted: Rule, trusted_servers: readonly string[] = []) =>
  setPolicy(api.world, { data_flow: { outward_after_untrusted, trusted_servers } })

const start = async (input: string, more = {}): Promise<string> => {
  const { status, body } = await api.call('POST /v1/runs', { input, ...more })
  expect(status).toBe(202)
  await settle(api.world)
  return body.id
}
const runOf = async (id: string) => (await api.call(`GET /v1/runs/${id}`)).body
const eventsOf = async (id: string) =>
  (await api.call(`GET /v1/runs/${id}/events?limit=100`)).body.data
const pending = async () => (await api.call('GET /v1/approvals?status=pending')).body.data
const decide = async (decision: 'approve' | 'deny') => {
  for (const { id } of await pending())
    expect((await api.call(`POST /v1/approvals/${id}/decision`, { decision })).status).toBe(200)
  await settle(api.world)
}
const resultsOf = async (id: string): Promise<string[]> =>
  (await eventsOf(id)).flatMap(({ type, data }: { type: string; data: { text: string } }) =>
    type === 'tool.result' ? [data.text] : [],
  )

const call = (tool: string, given: object = {}) => `@call ${tool} ${JSON.stringify(given)}`
const FETCH = call('web_fetch', { url: PAGE })
const POST = call('mcp__shop__post', { text: 'x' })
const READ = call('mcp__shop__read')
const script = (...steps: readonly string[]) => steps.join('\n@then\n')
const LEAK = script(FETCH, POST, '@say {last}')

describe('what the policy says', () => {
  it('is off unless it is switched on: nothing is asked, and the run says what it has read', async () => {
    const id = await start(LEAK)
    expect(await runOf(id)).toMatchObject({
      status: 'completed',
      untrusted: { kind: 'web', name: 'web_fetch', from: PAGE, run_id: id },
    })
    expect(out.sent).toEqual([PAGE, 'shop post'])
  })

  it('ask: a call that reaches out waits for a person, who reads which text, and from where', async () => {
    await rule('ask')
    const id = await start(LEAK)
    expect(await runOf(id)).toMatchObject({ status: 'waiting', waiting_on: 'approval' })
    expect(out.sent).toEqual([PAGE])
    expect(await pending()).toMatchObject([
      {
        tool: 'mcp__shop__post',
        reason:
          'the data-flow policy of the tenant: the run has read untrusted text: a result of ' +
          `web_fetch ("${PAGE}")`,
      },
    ])
    await decide('approve')
    expect(await runOf(id)).toMatchObject({ status: 'completed', output: { text: 'text' } })
    expect(out.sent).toEqual([PAGE, 'shop post'])
  })

  it('deny: the call is refused with a code that the model sees', async () => {
    await rule('deny')
    const id = await start(LEAK)
    const { status, output } = await runOf(id)
    expect(status).toBe('completed')
    expect(output.text).toMatch(
      /^denied_by_policy: the data-flow policy of the tenant denies mcp__shop__post: /,
    )
    expect(output.text).toContain(PAGE)
    expect(out.sent).toEqual([PAGE])
  })

  it('unattended: what would ask is refused', async () => {
    await rule('ask')
    const id = await start(LEAK, { approvals: { unattended: true } })
    expect((await resultsOf(id))[1]).toMatch(/^approval_required: .*untrusted text/)
    expect(out.sent).toEqual([PAGE])
  })

  it('the strictest of it and the approvals counts', async () => {
    const data_flow = { outward_after_untrusted: 'ask', trusted_servers: [] } as const
    await setPolicy(api.world, { data_flow, approvals: { mcp__shop__post: 'deny', '*': 'allow' } })
    const denied = await start(LEAK)
    expect((await resultsOf(denied))[1]).toMatch(
      /^denied_by_policy: the policy of the tenant denies/,
    )
    await setPolicy(api.world, { data_flow, approvals: { '*': 'allow' } })
    expect((await runOf(await start(LEAK))).waiting_on).toBe('approval')
    expect(out.sent).toEqual([PAGE])
  })

  it('counts as it is when a call is made, also when a run has begun before', async () => {
    const id = await start(script(FETCH, '@slow 1000\n@say x', POST, '@say {last}'))
    expect((await runOf(id)).status).toBe('completed')
    await rule('ask')
    const asks = await start(LEAK)
    expect(await pending()).toHaveLength(1)
    await rule('deny')
    const [one] = await pending()
    const refused = await api.call(`POST /v1/approvals/${one.id}/decision`, { decision: 'approve' })
    expect(refused.status).toBe(409)
    expect((await runOf(asks)).status).toBe('waiting')
  })

  it('is written whole: 422 for a rule that there is not', async () => {
    const { etag } = await api.call('GET /v1/policy')
    const put = (data_flow: object) =>
      api.call('PUT /v1/policy', { data_flow }, { 'if-match': etag! })
    expect((await put({ outward_after_untrusted: 'perhaps' })).status).toBe(422)
    expect((await put({ outward_after_untrusted: 'ask' })).body.data_flow).toEqual({
      ...{ outward_after_untrusted: 'ask', trusted_servers: [] },
    })
  })
})

describe('what is untrusted, and what reaches out', () => {
  beforeEach(() => rule('ask'))
  const asked = async (...steps: string[]): Promise<string[]> => {
    await start(script(...steps))
    return (await pending()).map(({ tool }: { tool: string }) => tool)
  }

  it('nothing untrusted, nothing asked', async () => {
    expect(await asked(POST)).toEqual([])
    expect(await asked(`${POST}\n${FETCH}`)).toEqual([])
  })

  it('results of MCP servers, unless the policy trusts the server', async () => {
    expect(await asked(READ, POST)).toEqual(['mcp__shop__post'])
    await decide('deny')
    await rule('ask', ['own', 'sh?p'])
    expect(await asked(READ, POST)).toEqual([])
    await rule('ask', ['own'])
    expect(await asked(call('mcp__own__read'), POST)).toEqual([])
  })

  it('the web, tools of servers that do not say that they only read, tools of the caller', async () => {
    expect(await asked(READ, call('web_fetch', { url: PAGE }))).toEqual(['web_fetch'])
    await decide('deny')
    expect(await asked(READ, call('mcp__shop__set'))).toEqual(['mcp__shop__set'])
    await decide('deny')
    expect(await asked(READ, READ, call('file_list'))).toEqual([])
    const tools = [{ name: 'mail', description: 'Mails.', input_schema: SCHEMA }]
    await startRun(api.world, { input: script(READ, call('mail')), caller_tools: tools })
    await settle(api.world)
    expect(await pending()).toMatchObject([{ tool: 'mail' }])
  })

  it('what a run of later takes for the tenant’s own is asked about, whatever else is allowed', async () => {
    const data_flow = { outward_after_untrusted: 'ask', trusted_servers: [] } as const
    await setPolicy(api.world, { data_flow, approvals: { '*': 'allow' } })
    const put = call('agents_put', { agent_name: 'x', agent_md: agent('Leak.', 'x') })
    expect(await asked(READ, put)).toEqual(['agents_put'])
  })

  it('calls of one answer that was given before the text came are not asked about', async () => {
    const id = await start(script(`${READ}\n${POST}`, '@say x'))
    expect((await runOf(id)).status).toBe('completed')
    expect(out.sent.sort()).toEqual(['shop post', 'shop read'])
  })

  it('the list of tools shows which reach out', async () => {
    const { data } = (await api.call('GET /v1/tools')).body
    const outward = data.flatMap((one: { name: string; outward: boolean }) =>
      one.outward ? [one.name] : [],
    )
    expect(outward).toContain('web_fetch')
    expect(outward).toContain('mcp_put_server')
    expect(outward).not.toContain('file_write')
    expect(outward).not.toContain('agents_list')
  })

  it('webhooks that come in', async () => {
    const { body: hook } = await api.call('POST /v1/hooks', {
      scheme: 'standard',
      template: `${POST}\n{{$}}`,
    })
    const at = Math.floor(api.world.clock.now() / 1_000)
    const body = JSON.stringify({ note: 'x' })
    const signature = new Webhook(hook.secret).sign('m1', new Date(at * 1_000), body)
    const { status, body: received } = await api.call(
      `POST /v1/hooks/${hook.id}`,
      JSON.parse(body),
      {
        ...{ 'webhook-id': 'm1', 'webhook-timestamp': String(at), 'webhook-signature': signature },
      },
    )
    expect(status).toBe(202)
    await settle(api.world)
    const run = await runOf(received.run_id)
    const source = { kind: 'hook', name: hook.id, run_id: received.run_id }
    expect(run).toMatchObject({ kind: 'hook', status: 'completed', untrusted: source })
    await start(POST, { session_id: run.session_id })
    expect((await pending())[0].reason).toContain(`the webhook that came in by ${hook.id}`)
  })

  it('a log line says so, once, and without the text', async () => {
    const id = await start(script(FETCH, READ, POST))
    const lines = out.lines.filter(({ event }) => String(event).startsWith('run.untrusted'))
    expect(lines).toMatchObject([{ level: 'info', source: 'web_fetch', run_id: id }])
    expect(JSON.stringify(out.lines)).not.toContain('a page')
  })
})

describe('is kept', () => {
  beforeEach(() => rule('ask'))

  it('by the session: its next run begins with it, one that waited for its turn too', async () => {
    const { body: session } = await api.call('POST /v1/sessions', {})
    const session_id = session.id
    await start(script(FETCH, '@say x'), { session_id })
    expect((await api.call(`GET /v1/sessions/${session_id}`)).body.untrusted).toMatchObject({
      name: 'web_fetch',
    })
    const next = await start(POST, { session_id })
    expect((await runOf(next)).waiting_on).toBe('approval')
    const { body: queued } = await api.call('POST /v1/runs', { input: POST, session_id })
    await settle(api.world)
    await decide('deny')
    expect(await runOf(queued.id)).toMatchObject({ waiting_on: 'approval' })
    expect(out.sent).toEqual([PAGE])
  })

  it('by one that waited for its turn while the text was read', async () => {
    const { body: session } = await api.call('POST /v1/sessions', {})
    const session_id = session.id
    const slow = { input: script(FETCH, '@slow 1000\n@say x'), session_id }
    await api.call('POST /v1/runs', slow)
    const { body: queued } = await api.call('POST /v1/runs', { input: POST, session_id })
    expect(queued.untrusted).toBeUndefined()
    await settle(api.world)
    expect(await runOf(queued.id)).toMatchObject({ waiting_on: 'approval' })
    const resumed = (await eventsOf(queued.id)).find(
      ({ type }: { type: string }) => type === 'run.resumed',
    )
    expect(resumed.data.untrusted).toMatchObject({ name: 'web_fetch' })
  })

  it('by a run’s own session, and by a fork of it', async () => {
    const first = await runOf(await start(script(FETCH, '@say x')))
    const { session_id } = first
    expect((await runOf(await start(POST, { session_id }))).waiting_on).toBe('approval')
    await decide('deny')
    const { status, body: fork } = await api.call(`POST /v1/sessions/${session_id}/fork`, {})
    expect(status).toBe(201)
    expect(fork.untrusted).toMatchObject({ name: 'web_fetch', run_id: first.id })
    const { waiting_on } = await runOf(await start(POST, { session_id: fork.id }))
    expect(waiting_on).toBe('approval')
    const other = await start('@say x')
    expect((await runOf(other)).untrusted).toBeUndefined()
    expect(out.sent).toEqual([PAGE])
  })

  it('through a summary of the conversation', async () => {
    const WINDOW = 9_000
    const script_ = scriptModel()
    await begin({
      model: { ...script_, find: (reference) => ok({ id: reference ?? 'x/y', window: WINDOW }) },
    })
    await rule('ask', ['own'])
    const long = call('mcp__own__long')
    const id = await start(script(FETCH, long, long, long, long, long, long, POST))
    const types = (await eventsOf(id)).map(({ type }: { type: string }) => type)
    expect(types).toContain('transcript.compacted')
    expect(await pending()).toMatchObject([{ tool: 'mcp__shop__post' }])
    expect((await pending())[0].reason).toContain(PAGE)
  })

  it('by a parent whose subagent has read it, waited for or not', async () => {
    for (const wait of [true, false]) {
      const child = spawn({ task: script(FETCH, '@say found'), label: `w${wait}`, wait })
      const steps = wait ? [child, POST] : [child, '@await', POST]
      const id = await start(script(...steps))
      expect(await runOf(id)).toMatchObject({
        waiting_on: 'approval',
        untrusted: { name: 'web_fetch' },
      })
      const [asked] = await pending()
      expect(asked).toMatchObject({ run_id: id, tool: 'mcp__shop__post' })
      await decide('deny')
    }
    expect(out.sent.filter((one) => one !== PAGE)).toEqual([])
  })

  it('by a subagent whose parent had read it, and by the one below', async () => {
    const below = spawn({ task: POST, label: 'below', wait: true })
    const child = spawn({ task: below, label: 'child', wait: true })
    const id = await start(script(FETCH, child))
    const [asked] = await pending()
    expect(asked.tool).toBe('mcp__shop__post')
    expect(asked.path).toHaveLength(3)
    expect(await runOf(asked.run_id)).toMatchObject({ untrusted: { run_id: id } })
    expect(out.sent).toEqual([PAGE])
  })

  it('by a subagent that is sent a message by such a parent', async () => {
    const child = spawn({ task: script('@slow 5000\n@say x', POST), label: 'child' })
    const send = call('subagents', { action: 'send', target: 'child', message: POST })
    await start(script(child, FETCH, send, '@await', '@say x'))
    const [asked] = await pending()
    expect(asked).toMatchObject({ tool: 'mcp__shop__post' })
    expect(out.sent).toEqual([PAGE])
  })

  it('by the closing run of a fan-out, not by its other tasks', async () => {
    const tasks = [{ task: script(FETCH, '@say found') }, { task: script(POST, '@say sent') }]
    const { status, body } = await api.call('POST /v1/fanouts', { tasks, then: { input: POST } })
    expect(status).toBe(202)
    await settle(api.world)
    const { closing_run_id } = (await api.call(`GET /v1/fanouts/${body.id}`)).body
    expect(await pending()).toMatchObject([{ run_id: closing_run_id }])
    expect(out.sent.sort()).toEqual([PAGE, 'shop post'])
  })

  it('by another process that goes on with the run', async () => {
    const id = await start(LEAK)
    // All that a process remembers hangs on its store.
    Object.assign(api.world, { store: { ...api.world.store } })
    await decide('deny')
    expect(await runOf(id)).toMatchObject({ status: 'completed', untrusted: { from: PAGE } })
    expect(out.sent).toEqual([PAGE])
  })
})
