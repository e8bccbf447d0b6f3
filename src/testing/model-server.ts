/**
 * Serves a scripted OpenAI-compatible model over real HTTP: `POST /v1/chat/completions`, streamed
 * or not, with usage, and `GET /v1/models`. `model-script.ts` generates the answers. `GET /stats`
 * returns `{"calls": n, "p50_ms": x}`, the number of calls and the server's time per call, without
 * simulated delays.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, answer, type WireRequest } from './model-script.ts'
import type { Fault } from './script.ts'
import { vectorOf } from './vectors.ts'

export interface ModelServerOptions {
  /** Returns the answer to a request; replaces the scripts in conversations. */
  readonly script?: (request: WireRequest) => Answer
  readonly thinkMs?: number
  /** Port number of the model server; 0 (the default) selects any free port. */
  readonly port?: number
  /** Called for each request whose answer was sent completely. */
  readonly onAnswered?: (request: WireRequest) => void
  /** Number of request bodies kept for inspection by tests; defaults to 1,000. */
  readonly keep?: number
}
export interface ModelServer {
  /** Base URL of the model server, for OPENAI_BASE_URL. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** Returns the median time per model call, in milliseconds. */
  p50(): number
  calls(): number
  close(): Promise<void>
}
interface RecordedRequest {
  readonly body: WireRequest
  readonly headers: IncomingMessage['headers']
}

/** Model list in the format of OpenAI-compatible servers. */
const MODELS = { object: 'list', data: [{ id: 'gpt-5.6', object: 'model' }] }
/** Returns an embeddings response in the format of OpenAI-compatible servers. */
const embeddings = (raw: string) => ({
  object: 'list',
  data: (JSON.parse(raw) as { input: string[] }).input.map((text, index) => {
    return { object: 'embedding', index, embedding: vectorOf(text) }
  }),
  usage: { prompt_tokens: 1, total_tokens: 1 },
})
const SAMPLES = 8_192
const DELTA = 64

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  const samples = new Float64Array(SAMPLES)
  const failed = new Map<string, number>()
  const keep = options.keep ?? 1_000
  let calls = 0
  const p50 = () => {
    const sorted = samples.slice(0, Math.min(calls, SAMPLES)).sort()
    return sorted[sorted.length >> 1] ?? 0
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await read(request)
    if (request.url === '/stats') return json(response, 200, { calls, p50_ms: p50() })
    if (request.url?.endsWith('/models')) return json(response, 200, MODELS)
    if (request.url?.endsWith('/embeddings')) return json(response, 200, embeddings(raw))
    if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
      return json(response, 404, { error: { message: 'page not found', type: 'not_found' } })
    }
    const began = performance.now()
    const body = JSON.parse(raw) as WireRequest
    if (requests.length < keep) requests.push({ body, headers: request.headers })
    const scripted = (options.script ?? answer)(body)
    const fault = due(scripted.fault, raw, failed)
    response.once('finish', () => options.onAnswered?.(body))
    const head = performance.now() - began
    const think = (options.thinkMs ?? 0) + scripted.slowMs / 2
    if (think > 0) await sleep(think)
    const resumed = performance.now()
    await reply(response, body, { ...scripted, fault })
    samples[calls % SAMPLES] = head + performance.now() - resumed - scripted.slowMs / 2
    calls += 1
  }
  const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/v1`, requests, p50, calls: () => calls, close }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) text += chunk
  return text
}

/** Returns the scripted fault until identical requests have failed often enough. */
function due(
  fault: Fault | undefined,
  raw: string,
  failed: Map<string, number>,
): Fault | undefined {
  if (!fault) return undefined
  const failures = failed.get(raw) ?? 0
  failed.set(raw, failures + 1)
  return failures < fault.times ? fault : undefined
}

function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': length,
    ...headers,
  })
  response.end(text)
}

async function reply(response: ServerResponse, body: WireRequest, scripted: Answer): Promise<void> {
  const { fault } = scripted
  if (fault?.kind === 'status') {
    const headers = fault.retryAfter ? { 'retry-after': fault.retryAfter } : {}
    const error = { message: `scripted failure ${fault.status}`, type: 'scripted' }
    return json(response, fault.status, { error }, headers)
  }
  if (fault?.kind === 'drop') return void response.destroy()
  if (body.stream !== true) return json(response, 200, fullCompletion(body, scripted))
  const events = chunks(body, scripted)
  const middle = events.length >> 1
  const isBroken = fault !== undefined
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!isBroken && scripted.slowMs === 0) {
    response.end(`${events.join('')}data: [DONE]\n\n`)
    return
  }
  response.write(events.slice(0, middle).join(''))
  if (scripted.slowMs > 0) await sleep(scripted.slowMs / 2)
  if (fault?.kind === 'cut') {
    // The connection is cut only after the first half of the response is sent, because otherwise
    // there is nothing to cut.
    await sleep(5)
    response.destroy()
  } else if (fault?.kind === 'error') {
    response.end(event({ error: { message: 'scripted error', type: 'server_error' } }))
  } else {
    response.end(`${events.slice(middle).join('')}data: [DONE]\n\n`)
  }
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

/** Estimates the usage of a call at four characters per token. */
function usage(body: WireRequest, scripted: Answer): Record<string, number> {
  const prompt = Math.ceil(JSON.stringify(body.messages).length / 4)
  const characters = scripted.calls.reduce(
    (sum, call) => sum + call.arguments.length,
    scripted.text.length,
  )
  const completion = Math.ceil(characters / 4)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  }
}

const wireCalls = (scripted: Answer) =>
  scripted.calls.map((call, index) => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))

function fullCompletion(body: WireRequest, scripted: Answer): unknown {
  const message = {
    role: 'assistant',
    content: scripted.text || null,
    ...(scripted.reasoning ? { reasoning_content: scripted.reasoning } : {}),
    ...(scripted.calls.length > 0 ? { tool_calls: wireCalls(scripted) } : {}),
  }
  const choices = [{ index: 0, message, finish_reason: scripted.finish }]
  return { ...head(body), object: 'chat.completion', choices, usage: usage(body, scripted) }
}

const head = (body: WireRequest) => ({
  id: 'chatcmpl-scripted',
  created: 0,
  model: body.model ?? 'scripted',
})

/**
 * Returns the server-sent events of an answer: reasoning, text deltas, tool calls, finish reason,
 * and usage.
 */
function chunks(body: WireRequest, scripted: Answer): string[] {
  const common = { ...head(body), object: 'chat.completion.chunk' }
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    event({ ...common, choices: [{ index: 0, delta, finish_reason }] })
  const out: string[] = []
  if (scripted.reasoning)
    out.push(chunk({ role: 'assistant', reasoning_content: scripted.reasoning }))
  for (let at = 0; at < scripted.text.length; at += DELTA) {
    out.push(chunk({ role: 'assistant', content: scripted.text.slice(at, at + DELTA) }))
  }
  if (scripted.calls.length > 0)
    out.push(chunk({ role: 'assistant', tool_calls: wireCalls(scripted) }))
  out.push(chunk({}, scripted.finish))
  out.push(event({ ...common, choices: [], usage: usage(body, scripted) }))
  return out
}
