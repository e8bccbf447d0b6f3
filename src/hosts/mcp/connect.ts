/**
 * A connection to an MCP server. HTTP uses the outbound guard, with the tenant's secrets put into
 * the headers at the moment of each request; stdio is opened by the platform, where it is allowed.
 * The client offers elicitation, which can wait, and nothing else: no sampling and no roots.
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
import { expanded } from './expand-server.ts'
import { lenient } from './lenient.ts'
import { counting, type Waiting } from './listening.ts'
import { connectEither, type FirstAnswer } from './older-transport.ts'
import { STREAM_ENDED } from './our-errors.ts'
import { discoveryMs, lastMs, startupMs } from './time.ts'

export interface Connecting {
  readonly secrets: Secrets
  /** The outbound door (`guardedFetch`). */
  readonly fetch: Fetch
  /** Tokens of OAuth. */
  readonly tokens?: TokenSource | undefined
  /** Starts a local server; absent where stdio is not allowed. */
  readonly stdio?: ((server: ServerEntry) => Promise<Transport>) | undefined
}

/** The SDK's checks of structured results would run a server's schema; to us a result is text. */
const believing: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

/**
 * Connects within the signal's time or rejects; never leaves a process behind. A server over HTTP
 * may turn out to be an older one, which is spoken to by SSE.
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
      // The walk ends before (`tool-list.ts`); this is for lists that the library asks for itself.
      listMaxPages: LIMITS.tool_list_pages + 1,
      // Over HTTP the revision is negotiated; a local server would have to start twice for that.
      ...(server.transport === 'http' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
    },
  )
  of(client)
  const timeout = startupMs(server)
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

/**
 * Takes the secrets that a server was given out of what it says: none of them may come back with an
 * answer and reach a row, an event, a model or a log.
 */
export async function hidingFor(
  tenant: string,
  server: ServerEntry,
  { secrets, tokens }: Pick<Connecting, 'secrets' | 'tokens'>,
): Promise<Hide> {
  const values = await Promise.all(secretsOf(server).map((name) => secrets.get(tenant, name)))
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
  if (!url) throw new OutboundRefused('the server has no valid URL')
  const transport =
    server.transport === 'sse'
      ? sseTransport(url, fetch)
      : answering(new StreamableHTTPClientTransport(url, { fetch }))
  return mortal(transport, life)
}

/** The library drops the reason for which a stream could not be opened. */
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

/** The library leaves streams open that it did not understand; they end with the transport. */
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
function authorized(
  { tenant, server, world, first }: Attempt,
  life: AbortSignal,
  waiting: Waiting,
): FetchLike {
  const origin = URL.parse(server.url ?? '')?.origin
  return async (url, init) => {
    const headers = new Headers(init?.headers)
    if (new URL(url).origin !== origin)
      throw new OutboundRefused('the server redirects to another origin')
    for (const [name, value] of Object.entries(server.http_headers)) put(headers, name, value)
    for (const [name, secret] of Object.entries(server.env_http_headers)) {
      const value = await world.secrets.get(tenant, secret)
      if (value !== undefined) put(headers, name, value)
    }
    if (server.bearer_token_env_var) {
      const token = await world.secrets.get(tenant, server.bearer_token_env_var)
      if (token !== undefined) put(headers, 'authorization', `Bearer ${token}`)
    }
    const deadline = deadlineOf(server, init, life)
    const act = (signal: AbortSignal) => world.fetch(url, { ...init, headers, signal })
    const answer = await exchange(deadline, act)
    if (answer.ok && isDiscovery(init?.body)) first?.begin()
    return mendedAnswer(answer, init?.body, () => waiting)
  }
}

const SUBJECT = 'a message of the server'

/**
 * The client's library gives up waiting without closing the connection: each request ends with its
 * time, its body too. Only a stream of what the server may say some day has none.
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

/** Judged again here: secrets are filled in only now, and a pin may be older than a rule. */
function put(headers: Headers, name: string, value: string): void {
  const quotedName = quoteText(name, 80)
  const name_fault = headerNameFault(name)
  if (name_fault)
    throw new OutboundRefused(`the header ${quotedName} cannot be set by a layer: it ${name_fault}`)
  const fault = headerValueFault(value)
  if (fault) throw new OutboundRefused(`the value of the header ${quotedName} ${fault}`)
  headers.set(name, value)
}
