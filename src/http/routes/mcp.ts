/**
 * `POST /mcp`: the management operations as an MCP server (Streamable HTTP, stateless). Keys are
 * the same as for /v1; a refusal before MCP is a JSON-RPC error, a refusal of an operation is a
 * tool result with `isError`, as MCP wants it.
 */

import type { AuthInfo, McpHttpHandler, Server } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { LIMITS } from '../../core/limits.ts'
import {
  isMemoryOperation,
  MEMORY_OPERATIONS,
  type MemoryOperation,
  memorySchema,
} from '../../core/manage/memory.ts'
import {
  inputSchema,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '../../core/manage/operations.ts'
import {
  isScheduleOperation,
  SCHEDULE_OPERATIONS,
  type ScheduleOperation,
  scheduleSchema,
} from '../../core/manage/schedules.ts'
import { OFFERED_TOOLS } from '../../core/tools/available.ts'
import { isSpawn } from '../../core/tools/builtin/sessions-spawn.ts'
import { advanceSchedule } from '../../engine/fire/advance.ts'
import { manage, memoryOperation, scheduleOperation } from '../../engine/manage/index.ts'
import type { OperationContext } from '../../engine/manage/place.ts'
import { type Principal, verifyKey } from '../../engine/tenant/api-keys.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { readJson } from '../../lib/json.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { JSON_BOUNDS, readBytes } from '../body.ts'
import type { Api, Env, Route } from '../route.ts'
import { McpAnswer, McpMessage } from '../schemas/mcp.ts'

const BEARER = /^bearer ([^\s,]+)$/i
const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700
type Name = OperationName | MemoryOperation | ScheduleOperation
const TABLE: Readonly<Record<string, Operation>> = {
  ...OPERATIONS,
  ...MEMORY_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
}
const NAMES = Object.keys(TABLE) as Name[]
const isName = (tool: string): tool is Name => Object.hasOwn(TABLE, tool)

/** Its part of openapi.json; its messages are MCP's own. */
const ROUTE: Route = {
  id: 'callMcp',
  method: 'post',
  path: '/mcp',
  tag: 'Management',
  summary: 'The management operations as an MCP server',
  description:
    'Streamable HTTP, stateless: `tools/list` and `tools/call` of the operations that the other ' +
    'routes have, with the same parameters and results. Errors are JSON-RPC errors.',
  scope: 'layers:read',
  rawBody: 'application/json',
  rawShape: McpMessage,
  answers: {
    200: { description: 'A JSON-RPC answer', schema: McpAnswer, stream: McpAnswer },
    400: { description: 'A JSON-RPC error: no message', schema: McpAnswer },
    401: {
      description: 'A JSON-RPC error: no valid key',
      schema: McpAnswer,
      headers: ['WWW-Authenticate'],
    },
    403: { description: 'A JSON-RPC error: the Origin is another', schema: McpAnswer },
  },
}

export function mcpRoutes(api: Api): void {
  const { app, world } = api
  api.routes.push(ROUTE)
  // The library is loaded by the first request: most deployments start without one.
  let loading: Promise<McpHttpHandler> | undefined
  const load = () => {
    loading ??= import('@modelcontextprotocol/server').then((sdk) =>
      sdk.createMcpHandler(({ authInfo }) => serverFor(sdk, world, authInfo), {
        maxRequestBodySize: LIMITS.file_body_bytes,
      }),
    )
    return loading
  }
  app.all('/mcp', async (c) => {
    if (!sameOrigin(c)) return refused(403, 'The Origin is another host.')
    const [, text] = BEARER.exec(c.req.header('authorization') ?? '') ?? []
    const principal = text === undefined ? undefined : await verifyKey(world, text)
    if (!principal) return refused(401, 'Send `Authorization: Bearer <API key>`.')
    const given = c.req.method === 'POST' ? await bodyOf(c) : ok({})
    if (!given.ok) return given.error
    const { fetch: serve } = await load()
    return serve(c.req.raw, { authInfo: authInfo(principal), ...given.value })
  })
}

/** The library validates each message of a batch, before it refuses those it does not take. */
const BATCH = 100

/** The parsed body, within the bounds of every other; the answer when it is none. */
async function bodyOf(c: Context<Env>): Promise<Outcome<{ parsedBody?: unknown }, Response>> {
  const type = c.req.header('content-type') ?? ''
  // The library refuses what is no JSON by its type.
  if (!/^application\/json\b/i.test(type)) return ok({})
  const text = decodeStrict(await readBytes(c.req, LIMITS.file_body_bytes))
  if (text === undefined) return fail(refused(400, 'The body is not UTF-8.', PARSE_ERROR))
  const read = readJson(text, JSON_BOUNDS)
  if (read.ok && Array.isArray(read.value) && read.value.length > BATCH) {
    return fail(refused(400, `A batch has at most ${BATCH} messages.`))
  }
  if (read.ok) return ok({ parsedBody: read.value })
  return fail(refused(400, read.error.message, PARSE_ERROR))
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/**
 * A page in a browser must not reach a server on this machine by a name of its own (DNS rebinding):
 * over plain http only a page of this machine itself may ask.
 */
function sameOrigin(c: Context<Env>): boolean {
  const origin = c.req.header('origin')
  if (origin === undefined) return true
  const url = URL.parse(origin)
  if (url === null || url.host !== c.req.header('host')) return false
  return url.protocol === 'https:' || LOOPBACK.test(url.hostname)
}

function refused(status: 400 | 401 | 403, message: string, code = INVALID_REQUEST): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null }
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return Response.json(body, { status, headers: challenge })
}

const authInfo = ({ key_id, scopes, tenant }: Principal): AuthInfo => ({
  token: key_id,
  clientId: key_id,
  scopes: [...scopes],
  extra: { tenant },
})

type Sdk = typeof import('@modelcontextprotocol/server')

/** A server for one request: MCP is spoken without sessions here. */
function serverFor({ Server: McpServer }: Sdk, world: World, auth: AuthInfo | undefined): Server {
  const server = new McpServer({ name: 'strata', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: NAMES.map(toolOf) }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name, arguments: given = {} } = params
    if (!isName(name)) return failure(unknown(name))
    const needed = `${areaOf(name)}:${TABLE[name]!.writes ? 'write' : 'read'}`
    if (!allows(auth?.scopes ?? [], needed)) {
      return failure(`insufficient_scope: the key lacks the scope ${needed}`)
    }
    const manager = { world, tenant: String(auth?.extra?.tenant), by: auth?.clientId ?? '' }
    const result = await perform(manager, name, given)
    if (!result.ok) {
      const { code, detail, errors } = result.error
      return failure(JSON.stringify({ success: false, code, error: detail, errors }))
    }
    const content = { success: true, ...result.value }
    return {
      content: [{ type: 'text', text: JSON.stringify(content) }],
      structuredContent: content,
    }
  })
  return server
}

/** The first part of the scope that a key needs. */
const areaOf = (name: Name): string =>
  isMemoryOperation(name) ? 'memory' : isScheduleOperation(name) ? 'schedules' : 'layers'

function perform(context: OperationContext, name: Name, given: object) {
  if (isMemoryOperation(name)) return memoryOperation(context, name, given)
  if (!isScheduleOperation(name)) return manage(context, name, given)
  return scheduleOperation({ ...context, advance: advanceSchedule }, name, given)
}

/** Tools of runs are no operations: outside of a run there is nothing that they could be about. */
function unknown(name: string): string {
  const ofRuns = isSpawn(name) || OFFERED_TOOLS.has(name)
  if (!ofRuns) return `unknown_tool: there is no tool ${JSON.stringify(name)}`
  return `unknown_tool: ${name} works only in the context of a run, called by its model. Start runs with POST /v1/runs, many at once with POST /v1/fanouts.`
}

function toolOf(name: Name) {
  const { description, writes } = TABLE[name]!
  const schema = schemaOf(name) as { type: 'object' }
  const idempotentHint = name !== 'schedules_run'
  const annotations = { readOnlyHint: !writes, destructiveHint: writes, idempotentHint }
  return { name, description, inputSchema: schema, annotations }
}

function schemaOf(name: Name): object {
  if (isMemoryOperation(name)) return memorySchema(name)
  return isScheduleOperation(name) ? scheduleSchema(name) : inputSchema(name)
}

const failure = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true })

const allows = (scopes: readonly string[], needed: string): boolean =>
  ['*', needed, `${needed.split(':')[0]}:*`].some((scope) => scopes.includes(scope))
