/**
 * What every host does end to end, by its HTTP API alone: the demo's run (files, skill, MCP over
 * HTTP, three subagents, a signed webhook), an approval that outlives the process, a cancel, and a
 * stream. Only the model is scripted.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followTree } from '../../examples/demo/follow.ts'
import { startReceiver } from '../../examples/demo/receiver.ts'
import type { CannedServer } from '../support/canned-server.ts'
import { startEverything } from '../support/everything.ts'
import {
  type Client,
  childrenOf,
  createRun,
  eventPages,
  type Open,
  type RunShown,
  runToEnd,
  untilEnd,
} from '../support/launch.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { until } from '../support/patience.ts'
import { startSite } from '../support/site.ts'
import { servesConsole } from './console.ts'
import { sealsItsAudit } from './host-audit.ts'
import { DEMO, pushDemo } from './host-demo.ts'
import { functionOverRestart } from './host-functions.ts'
import {
  approvalOf,
  decidesByLinks,
  limitsRates,
  managesKeys,
  narrowsByTokens,
  signsBrowsersIn,
} from './host-keys.ts'
import { seesPictures } from './host-media.ts'
import { storesSecrets } from './host-secrets.ts'
import { runsCommands } from './host-shell.ts'
import { managesTenants } from './host-tenants.ts'
import { firesSchedules, keepsConversations, remembers } from './host-time.ts'
import { sendsTraces } from './host-traces.ts'
import { readsTheWeb } from './host-web.ts'
import { eventually } from './store/kit.ts'

interface HostUnderTest {
  readonly client: Client
  /** Ends what runs and begins again on the same storage, remembering nothing. */
  restart(): Promise<Client>
}
/** `env` goes to the host; what is opened is closed by `open`, the last first. */
export type StartHost = (
  env: Readonly<Record<string, string>>,
  open: Open,
) => Promise<HostUnderTest>

const SEEING = 'openai/seeing'
const BLIND = 'openai/blind'
const MODELS = { [SEEING]: { input: ['text', 'image'] }, [BLIND]: { input: ['text'] } }

export function hostContract(name: string, start: StartHost): void {
  describe(`platform: ${name}`, () => {
    const open: Open = []
    let host: HostUnderTest
    let client: Client
    let mcpUrl = ''
    let model: ModelServer
    let site: CannedServer
    let receiver: OtlpReceiver
    beforeAll(async () => {
      model = await startModelServer()
      open.push(model.close)
      const everything = await startEverything('streamableHttp')
      open.push(everything.close)
      mcpUrl = everything.url
      site = await startSite()
      open.push(site.close)
      receiver = await startOtlpReceiver()
      open.push(receiver.close)
      const env = {
        OPENAI_BASE_URL: model.url,
        ALLOW_LOOPBACK: 'true',
        SEARXNG_URL: site.origin,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
        STRATA_PROVIDERS: JSON.stringify({ models: MODELS }),
      }
      host = await start(env, open)
      client = host.client
    })
    afterAll(async () => {
      for (const close of open.splice(0).reverse()) await close()
    })

    it('runs the demo: files, a skill, MCP, three subagents, a signed webhook', async () => {
      await theDemo(client, mcpUrl, open)
    })

    it('keeps a tool call waiting for approval across a restart', async () => {
      client = await approvalOverRestart(host)
    })

    it('fetches web pages and searches the web', () => readsTheWeb(client, site))

    it('sends pictures and files to models that accept them, and a note to the others', () =>
      seesPictures(client, model, { seeing: SEEING, blind: BLIND }))

    // These wait most of their time, so they wait together.
    it.concurrent('runs commands over the files of a run', () => runsCommands(client))
    it.concurrent('fires a schedule once, at its slot', () => firesSchedules(client))
    it.concurrent("streams the model's text live from any process", () => readAlong(client))

    it('keeps a question to the user waiting across a restart until the session answers it', async () => {
      client = await questionOverRestart(host, client)
    })

    it('keeps a call of a client function waiting across a restart for its result', async () => {
      client = await functionOverRestart(host, client)
    })

    it('stores secrets and sends them only to their server', () => storesSecrets(client, open))

    it('remembers what is written to memory', () => remembers(client))

    it('pages and forks conversations', () => keepsConversations(client))

    it('reports the usage of a session and of a day', () => usedUp(client))

    it('cancels a run with all its subagents', () => cancelTree(client))

    it('reports without a key that its clock ticks', () => clockTicks(client))

    it('creates, replaces, and revokes API keys', () => managesKeys(client))
    it('creates, suspends, exports, and deletes tenants', () => managesTenants(client))

    it('limits the request rate and the addresses of a key', () => limitsRates(client))

    it('seals its audit log into an intact chain', () => sealsItsAudit(client))

    it('restricts a token to its run', () => narrowsByTokens(client))

    it('accepts a decision through a link', () => decidesByLinks(client))

    it('serves the console in every encoding', () => servesConsole(client))

    it('signs a browser in through a link, and out', () => signsBrowsersIn(client))

    it('exports the trace of a run and its subagents', () => sendsTraces(client, receiver))

    it('serves its docs with their renderer', () => servesDocs(client))

    it('accepts a file key with encoded slashes, and refuses path traversal through them', () =>
      keys(client))

    it('streams a run from its first event to its last, and closes the stream', async () => {
      await streamed(client)
    })

    it('creates one run per idempotency key, and lists it', async () => {
      await once(client)
    })
  })
}

async function theDemo(client: Client, mcpUrl: string, open: Open): Promise<void> {
  await pushDemo(client, mcpUrl, open)
  const receiver = await startReceiver()
  open.push(receiver.close)
  const run = await createRun(client, { ...DEMO, webhook: { url: receiver.url } })
  receiver.setSecret(run.webhook_secret ?? '')
  const events = await followTree(client, run.id, () => {})
  const results = events.filter(({ type }) => type === 'tool.result')
  expect(results.filter(({ data }) => data.status !== 'ok')).toEqual([])
  expect(events.filter(({ type }) => type === 'subagent.announced')).toHaveLength(3)
  const ended = await untilEnd(client, run.id)
  expect(ended).toMatchObject({ status: 'completed', output: { text: '3 subagents agree' } })
  const delivered = await receiver.verified
  expect(delivered.body).toMatchObject({ type: 'run.completed', data: { run_id: run.id } })
}

async function approvalOverRestart(host: HostUnderTest): Promise<Client> {
  const { client } = host
  const policy = await client.ask('/v1/policy')
  await client.get('/v1/policy', {
    method: 'PUT',
    headers: { 'if-match': policy.headers.get('etag') ?? '"0"' },
    json: { approvals: { file_write: 'ask' } },
  })
  const input = '@call file_write {"path":"a.txt","content":"approved"}\n@say {last}'
  const { id } = await createRun(client, { input })
  const asked = await approvalOf(client, id)
  const after = await host.restart()
  const shown = () => after.get<RunShown>(`/v1/runs/${id}`)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'waiting' }))
  const json = { decision: 'approve', args_hash: asked.args_hash }
  await after.get(`/v1/approvals/${asked.id}/decision`, { method: 'POST', json })
  expect(await untilEnd(after, id)).toMatchObject({ status: 'completed' })
  const written = await after.ask(`/v1/files/workspaces/${id}/a.txt`)
  expect(await written.text()).toBe('approved')
  return after
}

async function usedUp(client: Client): Promise<void> {
  const { id, session_id } = await runToEnd(client, { input: '@say counted' })
  const run = await client.get<{ usage: object; created_at: string }>(`/v1/runs/${id}`)
  const session = await client.get<{ usage: object }>(`/v1/sessions/${session_id}`)
  expect(session.usage).toEqual(run.usage)
  const from = run.created_at.slice(0, 10)
  interface Report {
    readonly data: readonly { readonly date: string; readonly runs: number }[]
    readonly next_to: string | null
  }
  // A list may lag.
  await eventually(async () => {
    const { data, next_to } = await client.get<Report>(`/v1/usage?from=${from}`)
    const created = await runsSince(client, from)
    expect(data.find(({ date }) => date === from)!.runs).toBe(created)
    expect(next_to).toBeNull()
  })
}

/** Returns the number of top-level runs created on that day or later, over all pages. */
async function runsSince(client: Client, from: string): Promise<number> {
  interface Page {
    readonly data: readonly unknown[]
    readonly next_cursor: string | null
  }
  const path = `/v1/runs?limit=100&created[gte]=${from}T00:00:00Z`
  let count = 0
  for (let cursor = ''; ; ) {
    const page = await client.get<Page>(`${path}${cursor}`)
    count += page.data.length
    if (page.next_cursor === null) return count
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

const QUESTION = [
  '@call todo {"todos":[{"content":"Ask for the colour","status":"in_progress"}]}',
  '@call content_search {"pattern":"colou?r *:", "-n": false}',
  '@then',
  '@call ask_user {"question":"Which colour?","choices":[{"label":"red"},{"label":"blue"}]}',
  '@then',
  '@say I take {last}',
].join('\n')

async function questionOverRestart(host: HostUnderTest, client: Client): Promise<Client> {
  const file = '/v1/files/repos/paint/a.css'
  await client.ask(file, { method: 'PUT', body: 'a {\n  color: red;\n}\n' })
  const asked = { input: QUESTION, repo_dir: 'repos/paint' }
  const { id, session_id } = await createRun(client, asked)
  const waits = {
    waiting_on: 'input',
    question: { questions: [{ question: 'Which colour?' }] },
    todos: [{ content: 'Ask for the colour', status: 'in_progress' }],
  }
  const shown = (from: Client) => from.get<RunShown>(`/v1/runs/${id}`)
  await eventually(async () => expect(await shown(client)).toMatchObject(waits))
  const texts = (await eventPages(client, id)).map(({ data }) => data.text)
  expect(texts).toContain('a.css:   color: red;')
  const after = await host.restart()
  await eventually(async () => expect(await shown(after)).toMatchObject(waits))
  const json = { input: 'blue', session_id }
  const answer = await after.get<RunShown>('/v1/runs', { method: 'POST', json })
  expect(answer).toMatchObject({ id, answered: { run_id: id, ignored: [] } })
  const ended = await untilEnd(after, id)
  expect(ended).toMatchObject({ status: 'completed', output: { text: 'I take blue' } })
  return after
}

/** Generated clients encode the slashes of a parameter; the host passes them on as they came. */
async function keys({ ask, get }: Client): Promise<void> {
  const encoded = `/v1/files/${encodeURIComponent('base/keys/ä.md')}`
  expect((await ask(encoded, { method: 'PUT', body: 'one' })).status).toBe(201)
  expect(await (await ask('/v1/files/base/keys/ä.md')).text()).toBe('one')
  expect(await (await ask(encoded)).text()).toBe('one')
  for (const path of ['..%2Fkeys', 'base%2F..%2F..%2Fx', 'base%2F%2e%2e%2Fx', '%2Fbase']) {
    const answer = await ask(`/v1/files/${path}`, { method: 'PUT', body: 'x' })
    expect([path, answer.status]).toEqual([path, 400])
  }
  expect((await ask(encoded, { method: 'DELETE' })).status).toBe(204)
  expect(await get('/v1/files?prefix=base/keys/')).toMatchObject({ data: [] })
}

async function cancelTree(client: Client): Promise<void> {
  const slow = Array.from({ length: 40 }, () => '@slow 2000\n@call file_list {"path":"."}')
  const input = `@spawn 2 ${JSON.stringify({ task: [...slow, '@say late'].join('\n') })}\n@await`
  const { id } = await createRun(client, { input })
  await until('two subagents', async () => (await childrenOf(client, id)).length === 2)
  const answer = await client.ask(`/v1/runs/${id}/cancel`, { method: 'POST', json: {} })
  expect([200, 202]).toContain(answer.status)
  expect((await untilEnd(client, id)).status).toBe('cancelled')
  for (const child of await childrenOf(client, id))
    expect((await untilEnd(client, child.id)).status).toBe('cancelled')
}

async function streamed(client: Client): Promise<void> {
  const response = await client.ask('/v1/runs', {
    method: 'POST',
    headers: { accept: 'text/event-stream' },
    json: { input: '@call file_list {"path":"."}\n@say streamed' },
  })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const text = await response.text()
  const seen = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))
  const [, id = ''] = /"run_id":"(run_\w+)"/.exec(text) ?? []
  const log = await eventPages(client, id)
  expect(seen).toEqual(log.map(({ seq }) => seq))
  expect(log.at(-1)?.type).toBe('run.completed')
}

async function servesDocs({ url }: Client): Promise<void> {
  const page = await (await fetch(`${url}/docs`)).text()
  const [, renderer = ''] = /src="([^"]*rapidoc[^"]*)"/.exec(page) ?? []
  const { status, headers, body } = await fetch(`${url}${renderer}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  let bytes = 0
  for await (const chunk of body ?? []) bytes += chunk.length
  expect(bytes).toBeGreaterThan(800_000)
  for (const path of ['/openapi.json', '/llms.txt', '/docs/plain', '/docs/theme.js'])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
  const { paths } = (await (await fetch(`${url}/docs/openapi.json`)).json()) as { paths: object }
  expect(Object.keys(paths)).toContain('/v1/runs')
}

async function clockTicks({ url }: Client): Promise<void> {
  await eventually(async () => {
    const answer = await fetch(`${url}/readyz?clock_within=300`)
    const body = await answer.json()
    expect([answer.status, body]).toMatchObject([
      200,
      { status: 'ready', clock: { ticked_seconds_ago: expect.any(Number) } },
    ])
  })
}

async function readAlong(client: Client): Promise<void> {
  const said = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ')
  const response = await client.ask('/v1/runs', {
    method: 'POST',
    headers: { accept: 'text/event-stream' },
    // Half of it, a long pause, the rest.
    json: { input: `@slow 8000\n@say ${said}` },
  })
  const text = await response.text()
  const deltas = [...text.matchAll(/^event: assistant\.delta\ndata: (.*)$/gm)]
  const shown = deltas.map(([, data = '']) => (JSON.parse(data) as { text?: string }).text ?? '')
  expect(said).toContain(shown.join(''))
  expect(shown.join('').length).toBeGreaterThan(said.length / 4)
  expect(text.lastIndexOf('event: assistant.delta')).toBeLessThan(
    text.indexOf('event: assistant.message'),
  )
}

async function once(client: Client): Promise<void> {
  const headers = { 'idempotency-key': 'only-once' }
  const send = () =>
    client.ask('/v1/runs', { method: 'POST', headers, json: { input: '@say only once' } })
  const made = await send()
  expect(made.status).toBe(202)
  const first = (await made.json()) as RunShown
  const again = await send()
  expect(again.status).toBe(202)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(((await again.json()) as RunShown).id).toBe(first.id)
  await untilEnd(client, first.id)
  expect((await runToEnd(client, { input: '@say second' })).output?.text).toBe('second')
  // Lists may lag.
  await eventually(async () => {
    const { data } = await client.get<{ data: RunShown[] }>('/v1/runs?limit=2')
    expect(data).toMatchObject([{ status: 'completed' }, { id: first.id }])
  })
}
