/** The commands that talk to a server: `push`, `run`, `tail`. */

import { join } from 'node:path'
import { LIMITS } from '../core/limits.ts'
import { readFolder, readStart } from './folder.ts'

type Print = (line: string) => void
type Environment = Readonly<Record<string, string | undefined>>

interface Server {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

function serverOf(env: Environment): Server {
  const key = env.STRATA_API_KEY
  if (!key) throw new Error('set STRATA_API_KEY to an API key of the server')
  const url = (env.STRATA_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '')
  return { url, headers: { authorization: `Bearer ${key}` } }
}

/** The answer, or an error with the problem's own sentence. */
async function ask(server: Server, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...server.headers, ...(init.headers as Record<string, string>) }
  const response = await fetch(`${server.url}${path}`, { ...init, headers }).catch((error) => {
    const why = (error as { cause?: { message?: string } }).cause?.message ?? String(error)
    throw new Error(`no server answers at ${server.url} (${why}); see STRATA_URL`)
  })
  if (response.ok) return response
  const text = await response.text()
  let detail = text
  try {
    detail = (JSON.parse(text) as { detail: string }).detail
  } catch {
    // Not a problem document: the text has to do.
  }
  // The same answer would come to every other request.
  if (response.status === 401 || response.status === 403)
    throw new Error(`${response.status}: ${detail}`)
  throw new Refused(`${response.status}: ${detail}`)
}

/** The server does not take this request; it may take others. */
class Refused extends Error {}

const AT_ONCE = 8

/**
 * Uploads every file below a folder; hidden ones too, since configuration is hidden. One that the
 * server refuses or that cannot be read keeps no other back; each is told, and the code is 1 then.
 */
export async function push(
  env: Environment,
  dir: string,
  prefix: string,
  print: Print,
): Promise<number> {
  const server = serverOf(env)
  const { files, others } = readFolder(dir)
  const base = prefix.replace(/\/+$/, '')
  for (const { path, why } of others) print(`${path}: left out: ${why}`)
  let refused = 0
  for (let i = 0; i < files.length; i += AT_ONCE) {
    await Promise.all(
      files.slice(i, i + AT_ONCE).map(async (path) => {
        const key = `${base}/${path}`.split('/').map(encodeURIComponent).join('/')
        try {
          // One byte too many is enough for the server to say so.
          const body = readStart(join(dir, path), LIMITS.file_body_bytes + 1)
          await ask(server, `/v1/files/${key}`, { method: 'PUT', body })
        } catch (error) {
          if (!(error instanceof Refused)) throw error
          refused += 1
          print(`${path}: refused: ${error.message}`)
        }
      }),
    )
  }
  print(`pushed ${files.length - refused} files to ${base}/`)
  return refused === 0 ? 0 : 1
}

export interface RunOptions {
  readonly input: string
  readonly agent: string | undefined
  readonly role: string | undefined
  readonly repo_dir: string | undefined
}

/** Starts a run and follows it; 0 when it completed. */
export async function run(env: Environment, options: RunOptions, print: Print): Promise<number> {
  const server = serverOf(env)
  const response = await ask(server, '/v1/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(options),
  })
  const { id } = (await response.json()) as { id: string }
  return tail(env, id, print)
}

interface Seen {
  readonly seq: number
  readonly type: string
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Prints the events of a run until it ends; 0 when it completed. */
export async function tail(env: Environment, id: string, print: Print): Promise<number> {
  const server = serverOf(env)
  let last = 0
  for (;;) {
    const response = await ask(server, `/v1/runs/${encodeURIComponent(id)}/events`, {
      headers: { accept: 'text/event-stream', 'last-event-id': String(last) },
    })
    if (response.status === 204) return 0
    for await (const event of events(response)) {
      last = event.seq
      print(line(event))
      if (event.type === 'run.completed') return 0
      if (/^run\.(failed|cancelled|timed_out)$/.test(event.type)) return 1
    }
  }
}

async function* events(response: Response): AsyncGenerator<Seen> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined && /^id: /m.test(block)) yield JSON.parse(data) as Seen
    }
  }
}

function line({ seq, type, created_at, data }: Seen): string {
  const output = data.output as { text?: unknown } | undefined
  const shown = output?.text ?? data.error ?? data.tool ?? data.label ?? data.agent ?? ''
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
  return `${created_at.slice(11, 19)} ${String(seq).padStart(4)} ${type} ${text}`.trimEnd()
}
