/**
 * Connection to an MCP server. HTTP connections use the outbound guard, which adds the tenant's
 * secrets to the headers of each request; stdio connections, where allowed, are opened by the
 * platform. The client offers only elicitation, whose answers can wait: no sampling and no roots.
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
import { headerNameFault, headerValueFault } from '../../core/config/server/request-headers.ts'
import { secretsOf } from '../../core/config/server/secret-binding.ts'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Hide, hiding } from '../../lib/hide.ts'
import { quoteText } from '../../lib/invisible-characters.ts'
import type { Secrets } from '../../ports/world.ts'
import { Deadline } from '../outbound/deadline.ts'
import { type Fetch, OutboundRefused } from '../outbound/fetch.ts'
import { readBudget } from '../outbound/read-budget.ts'
import { boundedAnswer, limit } from '../outbound/response-limit.ts'
import { type TokenSource, withToken } from './bearer.ts'
import { discovering, isDiscovery } from './discovery.ts'
import { declining, ELICITS } from './elicitation.ts'
import { mendedAnswer } from './envelope.ts'
import { expanded, headerSecret } from './expand-server.ts'
import { lenient } from './lenient.ts'
import { counting, type Waiting } from './listening.ts'
import { connectEither, type FirstAnswer } from './older-transport.ts'
import { STREAM_ENDED } from './our-errors.ts'
import { discoveryMs, lastMs, startupMs } from './time.ts'

export interface Connecting {
  readonly secrets: Secrets
  /** Outbound guard for requests to the server (`guardedFetch`). */
  readonly fetch: Fetch
  /** Source of OAuth tokens for HTTP servers. */
  readonly tokens?: TokenSource | undefined
  /** Starts a local server; absent on platforms that do not allow stdio. */
  readonly stdio?: ((server: ServerEntry) => Promise<Transport>) | undefined
}

/**
 * Validator that accepts every value: otherwise, the SDK would run a server's schema on structured
 * results, which are treated as text here.
 */
const believing: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

/**
 * Connects to the server before the signal aborts, or rejects; never leaves a process running.
 * Falls back to SSE for an older HTTP server.
 */
export async function connectServer(
  tenant: string,
  entry: ServerEntry,
  world: Connecting,
  signal: AbortSignal,
): Promise<Client> {
  const server = await expanded(tenant, entry, world.secrets)
  const connecting = { tenant, entry, world }
  if (server.transport !== 'http') return connect({ ...connecting, server, signal })
  return connectEither(
    (transport, until, first) =>
      connect({ ...connecting, server: { ...server, transport }, signal: until, first }),
    signal,
  )
}

interface Attempt {
  readonly tenant: string
  readonly entry: ServerEntry
  readonly server: ServerEntry
  readonly world: Connecting
  readonly signal: AbortSignal
  readonly first?: FirstAnswer | undefined
}

async function connect(attempt: Attempt): Promise<Client> {
  const { server, signal } = attempt
  const waiting: Waiting = new Set()
  const raw = await transportOf(attempt, waiting)
  const { transport, of } = declining(lenient(counting(raw, waiting)))
  const client = new Client(
    { name: 'strata', version: '1' },
    {
      capabilities: ELICITS,
      jsonSchemaValidator: believing,
      inputRequired: { autoFulfill: false },
      // Listing tools ends at a lower limit (`tool-list.ts`); this limit applies to lists that the
      // library requests itself.
      listMaxPages: LIMITS.tool_list_pages + 1,
      // The protocol revision is negotiated only over HTTP; a local server would have to be started
      // twice.
      ...(server.transport === 'http' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
    },
  )
  of(client)
  const timeout = startupMs(server)
  // An abort that came earlier sends no event; a transport started now would never be closed.
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // A transport that hangs before its first request would otherwise outlast the time-out of the
  // request.
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

/**
 * Removes a server's secrets from its output, so that no secret reaches a row, an event, a model,
 * or a log.
 */
export async function hidingFor(
  tenant: string,
  server: ServerEntry,
  { secrets, tokens }: Pick<Connecting, 'secrets' | 'tokens'>,
): Promise<Hide> {
  const values = await Promise.all(
    secretsOf(server).map((name) => secrets.get(tenant, name, undefined, server.subject)),
  )
  const sent = tokens?.sent(tenant, server) ?? []
  return hiding([...values.filter((value) => value !== undefined), ...sent])
}

async function transportOf(attempt: Attempt, waiting: Waiting): Promise<Transport> {
  const { tenant, entry, server, world, first } = attempt
  if (server.transport === 'stdio') {
    if (!world.stdio) throw new OutboundRefused('local servers (stdio) are not allowed here')
    return world.stdio(server)
  }
  const life = new AbortController()
  const sending = authorized(attempt, life.signal, waiting)
  const fetch = discovering(withToken(tenant, entry, world.tokens, sending), () => first?.giveUp())
  const url = URL.parse(server.url ?? '')
  if (!url) throw new OutboundRefused("the server's URL is missing or invalid")
  const transport =
    server.transport === 'sse'
      ? sseTransport(url, fetch)
      : answering(new StreamableHTTPClientTransport(url, { fetch }))
  return mortal(transport, life)
}

/** Creates an SSE transport that keeps the reason of a failed start, which the library drops. */
function sseTransport(url: URL, fetch: FetchLike): Transport {
  let reason: unknown
  const noting: FetchLike = async (...request) => {
    try {
      return await fetch(...request)
    } catch (error) {
      reason = error
      throw error
    }
  }
  const transport: Transport = new SSEClientTransport(url, { fetch: noting })
  const start = transport.start.bind(transport)
  transport.start = () =>
    start().catch((error: unknown) => {
      throw reason ?? error
    })
  return transport
}

/** Ends open streams when the transport closes, because the library leaves some streams open. */
function mortal(transport: Transport, life: AbortController): Transport {
  const close = transport.close.bind(transport)
  transport.close = async () => {
    try {
      await close()
    } finally {
      life.abort('closed')
    }
  }
  return transport
}

/**
 * Answers requests whose response stream ends early; otherwise, they would wait for the complete
 * time-out. The client gets an error instead of the server's response; if the real response has
 * already arrived, the error is ignored.
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

/** Adds the OAuth token only to requests to the configured origin. */
function authorized(
  { tenant, entry, server, world, first }: Attempt,
  life: AbortSignal,
  waiting: Waiting,
): FetchLike {
  const origin = URL.parse(server.url ?? '')?.origin
  return async (url, init) => {
    const headers = new Headers(init?.headers)
    if (new URL(url).origin !== origin)
      throw new OutboundRefused('the server redirects to another origin')
    for (const [name, value] of Object.entries(server.http_headers)) put(headers, name, value)
    const secretOf = (name: string) => headerSecret(tenant, entry, world.secrets, name)
    for (const [name, secret] of Object.entries(server.env_http_headers)) {
      const value = await secretOf(secret)
      if (value !== undefined) put(headers, name, value)
    }
    if (server.bearer_token_env_var) {
      const token = await secretOf(server.bearer_token_env_var)
      if (token !== undefined) put(headers, 'authorization', `Bearer ${token}`)
    }
    const deadline = deadlineOf(server, init, life)
    const act = (signal: AbortSignal) => world.fetch(url, { ...init, headers, signal })
    const answer = await exchange(deadline, act)
    if (answer.ok && isDiscovery(init?.body)) first?.begin()
    return mendedAnswer(answer, init?.body, () => waiting)
  }
}

const SUBJECT = 'a message from the server'

/**
 * Returns the deadline of a request, including reading its body, because the library gives up
 * without closing the connection. Only a stream for server-initiated messages has no deadline.
 */
function deadlineOf(
  server: ServerEntry,
  init: RequestInit | undefined,
  life: AbortSignal,
): Deadline {
  const listens = (init?.method ?? 'GET') === 'GET'
  const answerMs = isDiscovery(init?.body) ? discoveryMs(server) : lastMs(server)
  const totalMs = listens ? Number.MAX_SAFE_INTEGER : answerMs
  return new Deadline({ totalMs, signals: [init?.signal, life] })
}

async function exchange(
  deadline: Deadline,
  act: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const { signal } = deadline
  try {
    if (deadline.ended) throw deadline.ended
    return boundedAnswer(await deadline.race(act(signal)), {
      what: SUBJECT,
      message: limit('tool_message_bytes'),
      total: limit('tool_wire_bytes'),
      stringBytes: LIMITS.tool_text_bytes,
      holding: readBudget.open(),
      signal,
      onEnd: () => deadline.close(),
    })
  } catch (error) {
    deadline.close()
    throw error
  }
}

/**
 * The header is checked again, because its secrets are inserted only now and a pin may be older
 * than a rule.
 */
function put(headers: Headers, name: string, value: string): void {
  const quotedName = quoteText(name, 80)
  const name_fault = headerNameFault(name)
  if (name_fault)
    throw new OutboundRefused(
      `the header ${quotedName} cannot be set by a layer because it ${name_fault}`,
    )
  const fault = headerValueFault(value)
  if (fault) throw new OutboundRefused(`the value of the header ${quotedName} ${fault}`)
  headers.set(name, value)
}
