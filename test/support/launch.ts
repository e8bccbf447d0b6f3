/**
 * The real server as a process of its own, on any free port, spoken to by HTTP alone; and what its
 * clients do again and again. Nothing here needs vitest: programs use it too.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Started, startNode } from '../../examples/demo/process.ts'
import type { Event } from '../../src/core/run/views/event.ts'
import { until } from './patience.ts'

/** The API of some host, wherever it runs. */
export interface Client {
  readonly url: string
  readonly key: string
  /** A request with the key; `json` becomes the body. */
  ask(path: string, init?: Ask): Promise<Response>
  /** The same, parsed; fails with what was answered when the status is not 2xx. */
  get<T>(path: string, init?: Ask): Promise<T>
}
export interface Server extends Client {
  readonly dataDir: string
  readonly process: Started
}
export interface Ask extends RequestInit {
  readonly json?: unknown
}

export interface ServerOptions {
  /** Given: the folder and the key of a server that was there before. */
  readonly before?: Pick<Server, 'dataDir' | 'key'>
  readonly env?: Readonly<Record<string, string>>
  /** Who closes what is opened, the last first. */
  readonly open: Open
}
export type Open = (() => Promise<unknown>)[]

/** What a person starts; it keeps what it has compiled, so that a test's tenth server starts at once. */
export const MAIN = 'src/cli/strata.ts'

export async function launchServer(options: ServerOptions): Promise<Server> {
  const { open } = options
  const dataDir = options.before?.dataDir ?? (await temporaryFolder(open))
  const started = startNode([MAIN, 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      ALLOW_LOOPBACK: 'true',
      // Hundreds of servers start: each would compile for a second what it never uses.
      WARM_UP: 'false',
      ...options.env,
    },
  })
  open.push(() => started.stop('SIGKILL'))
  const [, url = ''] = await started.line(/listens on (\S+)\s/)
  const made = options.before ? undefined : await started.line(/\(shown only once\): (\S+)\s/)
  const key = options.before?.key ?? made?.[1] ?? ''
  return { ...clientOf(url, key), dataDir, process: started }
}

export function clientOf(url: string, key: string): Client {
  const ask = (path: string, { json, ...init }: Ask = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${key}`)
    if (json === undefined) return fetch(`${url}${path}`, { ...init, headers })
    headers.set('content-type', 'application/json')
    return fetch(`${url}${path}`, { ...init, headers, body: JSON.stringify(json) })
  }
  const get = async <T>(path: string, init?: Ask): Promise<T> => {
    const response = await ask(path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }
  return { url, key, ask, get }
}

export async function temporaryFolder(open: Open): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-test-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface RunShown {
  readonly id: string
  readonly session_id: string
  readonly label: string | null
  readonly status: string
  readonly stop_reason: string | null
  readonly output: { readonly text: string } | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly children: Readonly<Record<string, number>>
  readonly created_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly webhook_secret?: string
  readonly function_calls?: readonly { readonly call: string }[]
}

export interface Message {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text?: string
  readonly parts?: readonly { readonly type: string; readonly text?: string }[]
  readonly results?: readonly { readonly text: string; readonly is_error: boolean }[]
}

/** Creates a run; it must be accepted. */
export const createRun = (server: Client, request: object): Promise<RunShown> =>
  server.get<RunShown>('/v1/runs', { method: 'POST', json: request })

export const transcript = async (server: Client, id: string): Promise<readonly Message[]> =>
  (await server.get<{ data: readonly Message[] }>(`/v1/runs/${id}/transcript`)).data

export const childrenOf = async (server: Client, id: string): Promise<readonly RunShown[]> =>
  (await server.get<{ data: readonly RunShown[] }>(`/v1/runs/${id}/children?limit=100`)).data

/** Creates a run and waits for its end. */
export const runToEnd = async (server: Client, request: object): Promise<RunShown> =>
  untilEnd(server, (await createRun(server, request)).id)

const LIVE = new Set(['queued', 'running', 'waiting'])

/** Returns the run once it has ended; throws after minutes, with the last that it recorded. */
export function untilEnd(server: Client, id: string): Promise<RunShown> {
  const get = () => server.get<RunShown>(`/v1/runs/${id}`)
  const ended = async (): Promise<RunShown | undefined> => {
    const run = await get()
    return LIVE.has(run.status) ? undefined : run
  }
  const describe = async (): Promise<string> => {
    const last = (await eventPages(server, id)).slice(-6)
    return JSON.stringify({ run: await get(), last }).slice(0, 6_000)
  }
  return until(`the end of ${id}`, ended, { describe })
}

/** Where the events of a run or a fan-out are. */
export const eventsPath = (id: string): string =>
  `/v1/${id.startsWith('fan_') ? 'fanouts' : 'runs'}/${id}/events`

/** The whole log as JSON pages, `limit` events each. */
export async function eventPages(server: Client, id: string, limit = 100): Promise<Event[]> {
  const all: Event[] = []
  for (let cursor = ''; ; ) {
    const path = `${eventsPath(id)}?limit=${limit}${cursor}`
    const page = await server.get<{ data: Event[]; next_cursor: string | null }>(path)
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}
