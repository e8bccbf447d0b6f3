/**
 * One request to the server, for every command: adds the key, shows the problem's own sentence, and
 * tries again where the same request may succeed later. Errors are sentences for the person at the
 * terminal.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { oneLine } from '../lib/visible.ts'
import type { Environment } from './terminal.ts'

export interface Server {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether it has answered before: one that never has is not waited for. */
  seen: boolean
}

export interface RequestOptions extends RequestInit {
  /** Becomes the body. */
  readonly json?: unknown
  /** How often the server is asked, at most: a restart or a busy store passes. Default: once. */
  readonly tries?: number
}

/** The server does not take this request; it may take others. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** No server answers, or what answers is none for now: the same request may succeed later. */
export class Unreachable extends Error {}

export function serverOf(env: Environment): Server {
  const key = env.STRATA_API_KEY
  if (!key) throw new Error('set STRATA_API_KEY to an API key of the server')
  const url = (env.STRATA_URL || 'http://127.0.0.1:8787').replace(/\/+$/, '')
  return { url, headers: { authorization: `Bearer ${key}` }, seen: false }
}

const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504])
const FIRST_PAUSE_MS = 200

/** The answer (2xx); throws what the server, or the lack of one, has to say. */
export async function ask(
  server: Server,
  path: string,
  asked: RequestOptions = {},
): Promise<Response> {
  const { tries = 1 } = asked
  for (let tried = 1; ; tried += 1) {
    try {
      return await once(server, path, asked)
    } catch (error) {
      if (!(error instanceof Unreachable) || !server.seen || tried >= tries) throw error
      await sleep(FIRST_PAUSE_MS * 2 ** (tried - 1))
    }
  }
}

/** The same, as JSON. */
export const askJson = async <T>(
  server: Server,
  path: string,
  asked: RequestOptions = {},
): Promise<T> => (await (await ask(server, path, asked)).json()) as T

async function once(server: Server, path: string, asked: RequestOptions): Promise<Response> {
  const { json, tries: _, ...init } = asked
  const given = { ...server.headers, ...(init.headers as Record<string, string>) }
  const request: RequestInit =
    json === undefined
      ? { ...init, headers: given }
      : {
          ...init,
          headers: { ...given, 'content-type': 'application/json' },
          body: JSON.stringify(json),
        }
  const response = await fetch(`${server.url}${path}`, request).catch((error) => {
    const why = (error as { cause?: { message?: string } }).cause?.message ?? String(error)
    throw new Unreachable(`no server answers at ${server.url} (${oneLine(why)}); see STRATA_URL`)
  })
  server.seen = true
  if (response.ok) return response
  const said = `${response.status}: ${oneLine(await sentence(response))}`
  // The same answer would come to every other request.
  if (response.status === 401 || response.status === 403) throw new Error(said)
  if (BUSY.has(response.status)) throw new Unreachable(said)
  throw new Refused(response.status, said)
}

const MOST = 2_000

/** The problem's own; what is no problem document has to do as it is. */
async function sentence(response: Response): Promise<string> {
  const text = await response.text().catch(() => response.statusText)
  try {
    const { detail, errors } = JSON.parse(text) as {
      detail?: unknown
      errors?: { pointer: string; message: string }[]
    }
    const places = (errors ?? []).map(({ pointer, message }) => `${pointer}: ${message}`)
    if (typeof detail === 'string') return [detail, ...places].join(' ').slice(0, MOST)
  } catch {
    // No JSON.
  }
  return text.slice(0, MOST)
}
