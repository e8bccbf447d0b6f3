/**
 * One connection to one MCP server. HTTP goes through the outbound door, with the tenant's secrets
 * put into the headers at the moment of each request; stdio is opened by the host, where it is
 * allowed. Nothing is offered to the server: no sampling, no elicitation, no roots.
 */

import {
  Client,
  type FetchLike,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { expandServer, referredNames } from '../../core/config/expand.ts'
import type { ServerEntry } from '../../core/config/types.ts'
import type { Secrets } from '../../ports/world.ts'
import { type Fetch, Refused } from './fetch.ts'
import { boundedAnswer } from './mcp-bounds.ts'
import { STREAM_ENDED } from './mcp-failure.ts'

export interface Connecting {
  readonly secrets: Secrets
  /** The outbound door (`guardedFetch`). */
  readonly fetch: Fetch
  /** Starts a local server; absent where stdio is not allowed. */
  readonly stdio?: ((server: ServerEntry) => Promise<Transport>) | undefined
}

/** The SDK's checks of structured results would run a server's schema; to us a result is text. */
const believing: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

/** Connects within the signal's time or rejects; never leaves a process behind. */
export async function connectServer(
  tenant: string,
  entry: ServerEntry,
  world: Connecting,
  signal: AbortSignal,
): Promise<Client> {
  const server = await expanded(tenant, entry, world.secrets)
  const transport = await transportOf(tenant, server, world)
  const client = new Client(
    { name: 'strata', version: '1' },
    {
      capabilities: {},
      jsonSchemaValidator: believing,
      inputRequired: { autoFulfill: false },
      // Over HTTP a server is asked which revision it speaks; a local one would have to be started
      // twice for that.
      ...(server.transport === 'http' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
    },
  )
  const timeout = server.startup_timeout_sec * 1_000
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // A transport that hangs before its first request would outlast the request's own time-out.
  const connected = client.connect(transport, { timeout, signal })
  try {
    await Promise.race([connected, aborted])
    return client
  } catch (error) {
    connected.catch(() => {})
    transport.close().catch(() => {})
    throw error
  }
}

/** Read at the moment of use: what is connected with is stored nowhere. */
async function expanded(
  tenant: string,
  entry: ServerEntry,
  secrets: Secrets,
): Promise<ServerEntry> {
  const values = new Map<string, string>()
  for (const name of referredNames(entry)) {
    const value = await secrets.get(tenant, name)
    if (value !== undefined) values.set(name, value)
  }
  const server = expandServer(entry, values)
  if (!server.ok) throw new Refused(`there is no secret ${server.error}`)
  return server.value
}

async function transportOf(
  tenant: string,
  server: ServerEntry,
  world: Connecting,
): Promise<Transport> {
  if (server.transport === 'stdio') {
    if (!world.stdio) throw new Refused('local servers (stdio) are not allowed here')
    return world.stdio(server)
  }
  const fetch = authorized(tenant, server, world)
  const url = URL.parse(server.url ?? '')
  if (!url) throw new Refused('the server has no valid URL')
  return server.transport === 'sse'
    ? new SSEClientTransport(url, { fetch })
    : answering(new StreamableHTTPClientTransport(url, { fetch }))
}

/**
 * A request whose answer's stream ends early would wait for its whole time-out. The client is
 * answered in the server's place instead; if the real answer has come, this one is ignored.
 */
function answering(transport: Transport): Transport {
  const send = transport.send.bind(transport)
  transport.send = (message, options) =>
    send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.()
        if (!('method' in message) || !('id' in message)) return
        const error = { code: STREAM_ENDED, message: 'the stream ended' }
        transport.onmessage?.({ jsonrpc: '2.0', id: message.id, error })
      },
    })
  return transport
}

/** A token goes to the origin that the configuration names and nowhere else. */
function authorized(tenant: string, server: ServerEntry, world: Connecting): FetchLike {
  const origin = URL.parse(server.url ?? '')?.origin
  return async (url, init) => {
    const headers = new Headers(init?.headers)
    if (new URL(url).origin !== origin) throw new Refused('the server points to another origin')
    for (const [name, value] of Object.entries(server.http_headers)) put(headers, name, value)
    for (const [name, secret] of Object.entries(server.env_http_headers)) {
      const value = await world.secrets.get(tenant, secret)
      if (value !== undefined) put(headers, name, value)
    }
    if (server.bearer_token_env_var) {
      const token = await world.secrets.get(tenant, server.bearer_token_env_var)
      if (token !== undefined) put(headers, 'authorization', `Bearer ${token}`)
    }
    return boundedAnswer(await world.fetch(url, { ...init, headers }))
  }
}

/** The platform's own error would quote the value. */
function put(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    throw new Refused(`the header "${name}" holds characters that a header cannot carry`)
  }
}
