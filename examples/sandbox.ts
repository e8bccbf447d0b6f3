/**
 * `node examples/sandbox.ts`: an agent as people have it for another product (it names TodoWrite,
 * WebSearch, WebFetch, Bash and AskUserQuestion) works on a server of ours as it is: it keeps a
 * list, searches, reads a page, runs a command that a person is asked about, asks the user, and is
 * given a picture. Site and search are servers on loopback, the model is a script. With `--workers`
 * it runs in the bundled Worker of `npm run dev:cloudflare` instead of the Node server.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startNode } from './demo/process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** As it lies in `.claude/agents`: not a word of it is ours. */
const AGENT = `---
name: release-scout
description: Finds out what is new in a release and notes it down.
tools: TodoWrite, WebSearch, WebFetch, Bash, Read, AskUserQuestion
---
Find the release notes, read them, count the changes, and ask which of them to write down.
`

const SEES = ['text', 'image']
/** A PNG of one red pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

const PAGE = `<!doctype html><title>Release 7</title><article><h1>Release 7</h1>
<p>${'Three changes, of which one breaks. '.repeat(8)}</p>
<ul><li>faster starts</li><li>fewer words</li><li>no more Node 20</li></ul></article>`

const step = (tool: string, given: object): string =>
  `@call ${tool} ${JSON.stringify(given)}\n@then\n`

const todos = (...done: string[]) => ({
  todos: ['find the notes', 'count the changes', 'ask what to keep'].map((content) => ({
    content,
    status: done.includes(content) ? 'completed' : 'pending',
  })),
})

const script = (site: string): string =>
  [
    step('todo', todos()),
    step('web_search', { query: 'release 7 notes', count: 3 }),
    step('web_fetch', { url: `${site}/release-7`, prompt: 'What has changed?' }),
    step('shell_execute', {
      command: 'printf "a\\nb\\nc\\n" > changes.txt && wc -l < changes.txt',
    }),
    step('todo', todos('find the notes', 'count the changes')),
    step('ask_user', {
      question: 'Which change is to be written down?',
      choices: [{ label: 'faster starts' }, { label: 'no more Node 20' }],
    }),
    '@say Release 7 has 3 changes; written down as you said.',
  ].join('')

async function startSite() {
  const server = createServer(({ url = '' }, response) => {
    const { port } = server.address() as AddressInfo
    const found = { title: 'Release 7', url: `http://127.0.0.1:${port}/release-7`, content: 'New.' }
    if (url.startsWith('/search')) response.end(JSON.stringify({ results: [found] }))
    else if (url !== '/release-7') response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

interface Run {
  readonly id: string
  readonly status: string
  readonly waiting_on: string | null
  readonly output: { readonly text: string } | null
  readonly warnings?: readonly { readonly code: string }[]
  readonly todos: readonly { readonly content: string; readonly status: string }[]
}

async function demo(later: (close: () => unknown) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-sandbox-'))
  later(() => rm(folder, { recursive: true, force: true }))
  const site = await startSite()
  later(site.close)
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const scripted = startNode(['test/support/model-server.ts', '--json'], { cwd: ROOT, env })
  later(() => scripted.stop())
  const [, model = ''] = await scripted.line(/"url":"([^"]+)"/)
  const { url, key } = await startServer(join(folder, 'data'), later, {
    ...env,
    OPENAI_BASE_URL: model,
    SEARXNG_URL: site.origin,
    ALLOW_LOOPBACK: 'true',
    STRATA_MODEL: 'openai/scripted',
    STRATA_PROVIDERS: JSON.stringify({ models: { 'openai/scripted': { input: SEES } } }),
  })
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(`${url}/v1${path}`, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }

  await ask('PUT', '/agents/release-scout', { agent_md: AGENT })
  const input = [
    { type: 'text', text: script(site.origin) },
    { type: 'image', data: PICTURE, name: 'release.png' },
  ]
  const given = { agent: 'release-scout', input }
  const { id } = await ask<Run>('POST', '/runs', given)
  for (;;) {
    const run = await ask<Run>('GET', `/runs/${id}`)
    if (run.waiting_on === 'approval') await approve(ask)
    else if (run.waiting_on === 'input') {
      console.log('the user says: faster starts')
      await ask('POST', `/runs/${id}/messages`, { content: 'faster starts' })
    } else if (run.output) return ended(run, ask)
    else if (/failed|cancelled|timed_out/.test(run.status)) throw new Error(JSON.stringify(run))
    await sleep(50)
  }
}

/** The Node server, or the two Workers on this machine: where it listens, and its first key. */
async function startServer(
  data: string,
  later: (close: () => unknown) => void,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly key: string }> {
  const workers = process.argv.includes('--workers')
  const server = workers
    ? startNode(['infra/dev-cloudflare.ts', '--port', '0', '--data', data], { cwd: ROOT, env })
    : startNode(['src/cli/main.ts', 'serve'], {
        cwd: ROOT,
        env: { ...env, PORT: '0', DATA_DIR: data },
      })
  later(() => server.stop())
  const [, url = ''] = await server.line(/listens on (\S+)/)
  const [, key = ''] = await server.line(/shown only once[^:]*: (\S+)/)
  return { url, key }
}

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>

async function approve(ask: Ask): Promise<void> {
  const { data } = await ask<{ data: { id: string; tool: string; status: string }[] }>(
    'GET',
    '/approvals',
  )
  for (const { id, tool } of data.filter(({ status }) => status === 'pending')) {
    console.log(`a person lets ${tool} run`)
    await ask('POST', `/approvals/${id}/decision`, { decision: 'approve' })
  }
}

async function ended(run: Run, ask: Ask): Promise<string> {
  type Event = { type: string; data: { tool: string; status: string; text: string } }
  const { data } = await ask<{ data: Event[] }>('GET', `/runs/${run.id}/events?limit=100`)
  const results = data.filter(({ type }) => type === 'tool.result').map((event) => event.data)
  for (const { tool, status, text } of results)
    console.log(`${tool} (${status}): ${text.replaceAll(/\s+/g, ' ').slice(0, 100)}`)
  const wrong = results.filter(({ status }) => status !== 'ok')
  if (wrong.length > 0) throw new Error(`a tool failed: ${JSON.stringify(wrong)}`)
  const { data: said } = await ask<{ data: { media?: { name: string; bytes: number }[] }[] }>(
    'GET',
    `/runs/${run.id}/transcript`,
  )
  const [picture] = said.flatMap(({ media = [] }) => media)
  if (run.warnings || !picture) throw new Error('the model has not seen the picture')
  console.log(`the model sees ${picture.name} (${picture.bytes} bytes)`)
  const open = run.todos.filter(({ status }) => status !== 'completed')
  console.log(`still to do: ${open.map(({ content }) => content).join(', ')}`)
  return `demo ok: ${results.length} calls of ${new Set(results.map(({ tool }) => tool)).size} tools`
}

const open: (() => unknown)[] = []
let code = 0
try {
  console.log(await demo((close) => open.push(close)))
} catch (error) {
  console.log(`demo failed: ${error instanceof Error ? error.message : String(error)}`)
  code = 1
} finally {
  for (const close of open.reverse()) await close()
}
process.exitCode = code
