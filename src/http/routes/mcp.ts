/**
 * Serves `POST /mcp`, the API as an MCP server (Streamable HTTP, stateless): management, runs,
 * approvals, transcripts, files, and skills (`http/protocols/mcp`). Keys are the same as for /v1. A
 * rejection before MCP is a JSON-RPC error. A rejected operation is a tool result with `isError`,
 * as MCP requires.
 */

import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { LIMITS } from '../../core/limits.ts'
import { writableLayers } from '../../core/scopes.ts'
import { verifyCredential } from '../../engine/tenant/credentials.ts'
import { suspendedRefusal } from '../../engine/tenant/state.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { readJson } from '../../lib/json.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { askerOf, shownError } from '../protocols/mcp/ask.ts'
import { authInfo, serverFor } from '../protocols/mcp/server.ts'
import { admitKey } from '../request/admission.ts'
import { endingWithKey } from '../request/auth.ts'
import { JSON_BOUNDS, readBytes, withoutExcerpt } from '../request/body.ts'
import { isLoopback } from '../request/host-names.ts'
import { withOrigin } from '../request/origin.ts'
import type { Api, Env, Route } from '../request/route.ts'
import { McpAnswer, McpMessage } from '../schemas/protocols/mcp.ts'

const BEARER = /^bearer ([^\s,]+)$/i
const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700

/** Entry for `POST /mcp` in openapi.json; MCP defines the messages. */
const ROUTE: Route = {
  id: 'callMcp',
  method: 'post',
  path: '/mcp',
  tag: 'Management',
  summary: 'Use the API as an MCP server',
  description:
    "Streamable HTTP, stateless. Tools are this API's operations, with the same " +
    'parameters, results, and scopes: management, runs (`runs_create`, `runs_send`, ' +
    "`runs_cancel`), and approvals. With a progress token, a run's events are sent as " +
    'notifications while a call waits for the run. In revision 2025-11-25, a run is a ' +
    "task with the run's ID. Resources are transcripts (`strata://runs/{id}/transcript`) " +
    'and files (`strata://files/{path}`); prompts are the skills in the base layer. ' +
    'Errors are JSON-RPC errors.',
  scope: 'layers:read',
  rawBody: 'application/json',
  rawShape: McpMessage,
  answers: {
    200: { description: 'A JSON-RPC response', schema: McpAnswer, stream: McpAnswer },
    400: { description: 'A JSON-RPC error: invalid message', schema: McpAnswer },
    401: {
      description: 'A JSON-RPC error: invalid key',
      schema: McpAnswer,
      headers: ['WWW-Authenticate'],
    },
    403: {
      description: 'A JSON-RPC error: foreign Origin, or suspended tenant',
      schema: McpAnswer,
    },
  },
}

export function mcpRoutes(api: Api): void {
  const { app, world } = api
  api.routes.push(ROUTE)
  // The MCP library is loaded by the first request, because most deployments receive none at
  // startup.
  let loading: Promise<McpHttpHandler> | undefined
  const load = () => {
    loading ??= import('../protocols/mcp/sdk.ts').then((sdk) =>
      sdk.createMcpHandler((context) => serverFor(sdk, context), {
        maxRequestBodySize: LIMITS.file_body_bytes,
      }),
    )
    return loading
  }
  app.all('/mcp', async (c) => {
    if (!sameOrigin(c) && !isListed(world, c.req.header('origin'))) {
      return rpcRefusal(403, 'The Origin does not match this host.')
    }
    const [, text] = BEARER.exec(c.req.header('authorization') ?? '') ?? []
    if (text === undefined) return rpcRefusal(401, 'Send `Authorization: Bearer <API key>`.')
    const verified = await verifyCredential(world, text)
    if (!verified.ok) return rpcRefusal(401, verified.error)
    const principal = verified.value
    c.set('principal', principal)
    if (principal.token) return rpcRefusal(403, 'This endpoint accepts API keys, not tokens.')
    await admitKey(c, world, principal)
    // Operations that change layers are called directly, so no request of their own is refused.
    const suspended = await suspendedRefusal(world, principal.tenant)
    if (suspended) return rpcRefusal(403, suspended.detail)
    const parsed = c.req.method === 'POST' ? await bodyOf(c) : ok({})
    if (!parsed.ok) return parsed.error
    const { fetch: serve } = await load()
    const { tenant, key_id: by, scopes } = principal
    const writable = writableLayers(scopes)
    const operations = { world: withOrigin(world, c, principal), tenant, by, writable }
    const caller = {
      ...{ world, routes: api.routes, ask: askerOf(api, c), scopes, operations },
      shownError: (error: unknown) => shownError(error, api, c.get('requestId')),
    }
    const answer = await serve(withAccept(c), { authInfo: authInfo(caller), ...parsed.value })
    return takes(c, EVENTS) ? endingWithKey(c, answer, world, text) : asJson(answer)
  })
}

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'

/** Reports whether the client accepts this media type; a missing `Accept` means any type. */
function takes({ req }: Context<Env>, type: string): boolean {
  const ranges = (req.header('accept') ?? '*/*').toLowerCase().split(',')
  const [family] = type.split('/')
  const accepted = [type, `${family}/*`, '*/*']
  return ranges.some((range) => accepted.includes(range.split(';', 1)[0]!.trim()))
}

/**
 * Adds both media types to `Accept` by name, because the library requires them even from clients
 * that accept any type.
 */
function withAccept(c: Context<Env>): Request {
  const { url, raw } = c.req
  if (!takes(c, JSON_TYPE) && !takes(c, EVENTS)) return raw
  const headers = new Headers(raw.headers)
  headers.set('accept', `${JSON_TYPE}, ${EVENTS}`)
  // The body is omitted, because it has already been read.
  return new Request(url, { method: c.req.method, headers, signal: raw.signal })
}

/**
 * Returns a stream's responses as JSON; a client without event stream support gets no
 * notifications.
 */
async function asJson(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith(EVENTS)) return answer
  const lines = (await answer.text()).matchAll(/^data: ?(\{.*)$/gm)
  const messages = [...lines].map(([, data = '']) => JSON.parse(data) as object)
  const answers = messages.filter((message) => !('method' in message))
  return Response.json(answers.length === 1 ? answers[0] : answers)
}

/**
 * Maximum number of messages in a batch, because the library validates every message before it
 * rejects batches.
 */
const BATCH = 100

/** Returns the parsed request body within the usual limits, or an error response. */
async function bodyOf(c: Context<Env>): Promise<Outcome<{ parsedBody?: unknown }, Response>> {
  const type = c.req.header('content-type') ?? ''
  // The MCP library rejects other content types.
  if (!/^application\/json\b/i.test(type)) return ok({})
  const text = decodeStrict(await readBytes(c.req, LIMITS.file_body_bytes))
  if (text === undefined) return fail(rpcRefusal(400, 'The body is not valid UTF-8.', PARSE_ERROR))
  const read = readJson(text, JSON_BOUNDS)
  if (read.ok && Array.isArray(read.value) && read.value.length > BATCH) {
    return fail(rpcRefusal(400, `A batch can have at most ${BATCH} messages.`))
  }
  if (read.ok) {
    const { value } = read
    return ok({
      parsedBody: Array.isArray(value) ? value.map(withoutNullParams) : withoutNullParams(value),
    })
  }
  return fail(rpcRefusal(400, withoutExcerpt(read.error.message), PARSE_ERROR))
}

/**
 * Removes parameters that are null. The library rejects null for optional members, and null has no
 * meaning in these parameters.
 */
function withoutNullParams(message: unknown): unknown {
  if (!isMap(message) || !Object.hasOwn(message, 'params')) return message
  const { params, ...members } = message
  if (params === null) return members
  if (!isMap(params)) return message
  const entries = Object.entries(params).filter(([, value]) => value !== null)
  return { ...members, params: Object.fromEntries(entries) }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Prevents DNS rebinding: over plain HTTP, only pages of this machine may send requests. A page of
 * another site therefore cannot reach a local server through a different host name.
 */
function sameOrigin(c: Context<Env>): boolean {
  const origin = c.req.header('origin')
  if (origin === undefined) return true
  const url = URL.parse(origin)
  if (url === null || url.host !== c.req.header('host')) return false
  return url.protocol === 'https:' || isLoopback(url.hostname)
}

/**
 * Reports whether the operator lists this origin for CORS. Pages of listed origins may read
 * responses and may also send requests.
 */
const isListed = ({ settings }: Api['world'], origin = ''): boolean =>
  settings.corsOrigins?.includes(origin) === true

function rpcRefusal(status: 400 | 401 | 403, message: string, code = INVALID_REQUEST): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null }
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return Response.json(body, { status, headers: challenge })
}
