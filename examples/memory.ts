/**
 * `node examples/memory.ts`: an agent remembers. It writes down what a customer told it; in another
 * session, which has never heard of it, it begins with the notes of the day and finds the rest by a
 * search. A person reads, corrects and searches the same files, and the index is thrown away and
 * made anew. The server is ours, the model a script. With `--workers` it runs in the bundled Worker.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startNode } from './demo/process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** `memory`: it writes in its own folder, and reads what all share, too. */
const AGENT = `---
name: desk
description: Answers customers and remembers what they want.
tools: [memory_search, memory_get, memory_write]
memory:
  scope: agent
  read: [shared]
---
You answer customers. Search your memory before you say that you do not know.
`

interface Run {
  readonly id: string
  readonly status: string
  readonly output: { readonly text: string } | null
}
interface Found {
  readonly passages: readonly {
    readonly path: string
    readonly lines: { readonly from: number; readonly to: number }
    readonly text: string
  }[]
  readonly stale: boolean
}

const call = (tool: string, given: object): string => `@call ${tool} ${JSON.stringify(given)}\n`

async function example(later: (close: () => unknown) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-memory-'))
  later(() => rm(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const scripted = startNode(['test/support/model-server.ts', '--json'], { cwd: ROOT, env })
  later(() => scripted.stop())
  const [, model = ''] = await scripted.line(/"url":"([^"]+)"/)
  const models = { OPENAI_BASE_URL: model, STRATA_MODEL: 'openai/scripted' }
  const { url, key } = await startServer(join(folder, 'data'), later, { ...env, ...models })
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(`${url}/v1${path}`, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }
  const run = async (input: string): Promise<Run> => {
    const { id } = await ask<Run>('POST', '/runs', { agent: 'desk', input })
    for (;;) {
      const now = await ask<Run>('GET', `/runs/${id}`)
      if (now.output) return now
      if (/failed|cancelled|timed_out/.test(now.status)) throw new Error(JSON.stringify(now))
      await sleep(50)
    }
  }
  const find = (query: string): Promise<Found> =>
    ask('GET', `/memory/search?query=${encodeURIComponent(query)}`)

  await ask('PUT', '/agents/desk', { agent_md: AGENT })
  await ask('PUT', '/memory/shared/MEMORY.md', { content: '- Parcels leave at four o’clock.\n' })

  const noted = {
    heading: 'Ada',
    content: '- Ada wants her parcels by post\n- お客様は東京都に住んでいます',
  }
  await run(`${call('memory_write', noted)}@say noted`)
  // Told again, it writes nothing twice.
  await run(`${call('memory_write', noted)}@say noted`)
  const told = await run(`${call('memory_search', { query: 'parcels Ada' })}@say {last}`)
  console.log(`the agent finds: ${told.output!.text.slice(0, 120)}`)

  for (const query of ['parcels', 'percels', '東京']) {
    const { passages } = await find(query)
    const places = passages.map(({ path, lines }) => `${path}:${lines.from}-${lines.to}`)
    console.log(`${query}: ${places.join(', ')}`)
    if (passages.length === 0) throw new Error(`nothing is found for ${query}`)
  }

  const said = await strata(['memory', 'search', 'parcels', '--json'], { ...env, url, key })
  const same = JSON.stringify(JSON.parse(said)) === JSON.stringify(await find('parcels'))
  if (!same) throw new Error('the command line finds something else')

  type Event = { type: string; data: { memory?: { files: { path: string }[] } } }
  const { data } = await ask<{ data: Event[] }>('GET', `/runs/${told.id}/events?limit=100`)
  const started = data.find(({ type }) => type === 'run.started')
  const shown = started?.data.memory?.files.map(({ path }) => path) ?? []
  console.log(`it began with: ${shown.join(', ')}`)
  if (shown.length !== 2) throw new Error('it should begin with MEMORY.md and the note of the day')

  const before = await find('Ada')
  await ask('POST', '/memory/rebuild', {})
  const after = await find('Ada')
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('another result')
  const own = shown.find((path) => path.startsWith('agents/desk/'))!
  const { text } = await ask<{ text: string }>('GET', `/memory/${own}`)
  console.log(text)
  if (text.split('by post').length !== 2) throw new Error('an entry stands there twice')
  return 'memory ok: written once, found again, and the same after the index was rebuilt'
}

/** The command line, on the same server. */
async function strata(
  args: readonly string[],
  { url, key, ...env }: Readonly<Record<string, string>>,
): Promise<string> {
  const settings = { ...env, STRATA_URL: url ?? '', STRATA_API_KEY: key ?? '' }
  const given = ['src/cli/strata.ts', ...args]
  const { stdout } = await promisify(execFile)(process.execPath, given, {
    cwd: ROOT,
    env: settings,
  })
  return stdout
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

const open: (() => unknown)[] = []
let code = 0
try {
  console.log(await example((close) => open.push(close)))
} catch (error) {
  console.log(`memory failed: ${error instanceof Error ? error.message : String(error)}`)
  code = 1
} finally {
  for (const close of open.reverse()) await close()
}
process.exitCode = code
