/**
 * Declares a route in one value: input, responses, and scopes. The same zod schemas validate
 * requests and generate openapi.yaml, so the document always matches the program.
 */

import type { Context, Hono } from 'hono'
import type * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { withoutNulls } from '../../core/nulls.ts'
import { admits, holds, type Scope } from '../../core/scopes.ts'
import { DEFAULT_TENANT } from '../../engine/partition/keys.ts'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import type { World } from '../../ports/world.ts'
import { take } from './admission.ts'
import { jsonBody, mediaBody, parseWith } from './body.ts'
import type { Env } from './env.ts'
import { narrowed, withoutIgnored } from './ignored-members.ts'
import type { AnswerHeader, RefusalStatus } from './names.ts'
import { withOrigin } from './origin.ts'
import { givenQuery } from './parameters.ts'
import { refuse } from './problem.ts'
import { checkReach } from './token-reach.ts'

export type { Env } from './env.ts'
export type App = Hono<Env>

export interface Answer {
  readonly description: string
  readonly schema?: z.ZodType
  /** Media type of the response; defaults to application/json. */
  readonly type?: string
  /** Schema of a server-sent event's data, for clients that accept events. */
  readonly stream?: z.ZodType
  /** Response headers that do not follow from the route's input. */
  readonly headers?: readonly AnswerHeader[]
}

export interface Route {
  /** Operation ID, in camelCase as in generated clients: `createRun`. */
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Route path in OpenAPI form: `/v1/runs/{id}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /**
   * Required scope; `any` accepts a credential with any scopes, and `null` requires no credential.
   */
  readonly scope: Scope | 'any' | null
  /** True if the route requires a key that belongs to the default tenant. */
  readonly operator?: true
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  readonly params?: Readonly<Record<string, string>>
  readonly body?: z.ZodType
  /** True if the body may be missing, which means `{}`. */
  readonly bodyOptional?: boolean
  /** Maximum size of the JSON body, in bytes; defaults to LIMITS.json_body_bytes. */
  readonly bodyLimit?: number
  /**
   * Additionally allows images and files in base64, up to LIMITS.media_body_bytes in total; `urls`
   * includes data URLs.
   */
  readonly takesMedia?: true | 'urls'
  /**
   * Marks a body in another product's format; its unused members are ignored and named in the
   * response.
   */
  readonly ignoresUnknown?: true
  readonly rawBody?: string
  /**
   * Number of run starts charged to the request: one for `run`, or the number of `tasks` in the
   * body.
   */
  readonly starts?: 'run' | 'tasks'
  /** Schema of a raw body in the API contract; the bytes are read unchanged. */
  readonly rawShape?: z.ZodType
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of rejections that do not follow from the route's input. */
  readonly refusals?: readonly RefusalStatus[]
}

export interface Call<R extends Route> {
  readonly c: Context<Env>
  readonly world: World
  readonly tenant: string
  /** ID of the caller's API key or token, as recorded in the audit log. */
  readonly by: string
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
  readonly query: R['query'] extends z.ZodType ? z.output<R['query']> : Record<string, never>
  /** Names of body members that this route ignores. */
  readonly ignored: readonly string[]
}

export interface Api {
  readonly app: App
  readonly world: World
  /** All declared routes, used by openapi.json and by tests of all routes. */
  readonly routes: Route[]
  /** Reports an unexpected exception to the operator. */
  readonly onError: (error: unknown, requestId: string) => void
}

/** Declares a route and its request handler. */
export function route<const R extends Route>(
  api: Api,
  def: R,
  handle: (call: Call<R>) => Promise<Response> | Response,
): void {
  api.routes.push(def)
  const path = def.path.replaceAll(/\{(\w+)\+\}/g, ':$1{.+}').replaceAll(/\{(\w+)\}/g, ':$1')
  api.app.on(def.method.toUpperCase(), path, async (c) => {
    c.set('route', def.path)
    const principal = c.get('principal')
    authorize(def, principal)
    if (principal?.token && def.scope !== null) {
      const target = { route: def.id, method: def.method, id: c.req.param('id') ?? '' }
      await checkReach(api.world, target, principal)
    }
    if (principal) await inTurn(api, principal, c)
    const query = parseQuery(def, c)
    const body = def.body ? bodyOf(def, c, await readBody(c, def)) : undefined
    const { tenant = '', key_id = '', token } = principal ?? {}
    const by = token?.id ?? key_id
    if (def.starts) await take(c, 'run_starts', startsOf(def, body))
    const ignored = c.get('ignored') ?? []
    // Some reads have an audit entry, too, such as those of secrets.
    const world = principal ? withOrigin(api.world, c, principal) : api.world
    return handle({ c, world, tenant, by, body, query, ignored } as Call<R>)
  })
}

/**
 * Returns the number of run starts charged to the request; an open fan-out may start without tasks.
 */
const startsOf = ({ starts }: Route, body: unknown): number =>
  starts === 'run' ? 1 : ((body as { readonly tasks?: readonly unknown[] }).tasks?.length ?? 0)

/** Parses the request body; an optional member that is null counts as absent (`core/nulls.ts`). */
function bodyOf({ body, ignoresUnknown }: Route, c: Context<Env>, input: unknown): unknown {
  return ignoresUnknown
    ? parseForeign(c, body!, input)
    : parseWith(body!, withoutNulls(body!, input))
}

/** Parses a request value in another product's format; the response names the unused members. */
export function parseForeign<S extends z.ZodType>(
  c: Context<Env>,
  schema: S,
  input: unknown,
): z.output<S> {
  const { value, ignored, leftOut } = withoutIgnored(schema, withoutNulls(schema, input))
  if (leftOut.length > 0) c.set('leftOut', leftOut)
  if (ignored.length > 0) c.set('ignored', ignored)
  return parseWith(schema, value, 'invalid_request', narrowed)
}

/** Reads the JSON body; the digest of its bytes is kept for idempotency keys. */
async function readBody(c: Context<Env>, def: Route): Promise<unknown> {
  if (def.bodyOptional && hasNoBody(c)) return {}
  const limit = def.bodyLimit ?? LIMITS.json_body_bytes
  const { value, digest } = def.takesMedia
    ? await mediaBody(c.req, limit, LIMITS.media_body_bytes, def.takesMedia === 'urls')
    : await jsonBody(c.req, limit)
  c.set('bodyDigest', digest)
  return value
}

async function inTurn(
  { world: { pace, keyPace } }: Api,
  { tenant, key_id }: Principal,
  c: Context<Env>,
): Promise<void> {
  const piece = { length: lengthOf(c), isRequest: true }
  const key = keyPace?.turn(key_id, piece)
  if (key) await key
  const waits = pace?.turn(tenant, piece)
  if (waits) await waits
}

/** Returns the body's declared length; a chunked body is counted while it is read. */
const lengthOf = ({ req }: Context<Env>): number => Number(req.header('content-length')) || 0

function hasNoBody({ req }: Context<Env>): boolean {
  const length = req.header('content-length')
  if (length !== undefined) return length === '0'
  return req.header('transfer-encoding') === undefined && req.header('content-type') === undefined
}

function authorize(def: Route, principal: Principal | undefined): void {
  if (def.scope === null) return
  if (!principal) throw refuse('unauthorized', 'Send `Authorization: Bearer <API key>`.')
  if (def.operator && principal.tenant !== DEFAULT_TENANT)
    throw refuse('insufficient_scope', 'This requires a key that belongs to the default tenant.')
  if (def.scope === 'any' || admits(principal.scopes, def.scope)) return
  const credential = principal.token || principal.identity ? 'token' : 'key'
  throw refuse('insufficient_scope', `The ${credential} lacks the scope ${def.scope}.`)
}

export const allows = ({ scopes }: Pick<Principal, 'scopes'>, scope: Scope): boolean =>
  holds(scopes, scope)

function parseQuery(def: Route, c: Context<Env>): unknown {
  const query = givenQuery(c.req)
  if (c.get('tokenInQuery')) delete query.token
  if (!def.query) {
    const [name] = Object.keys(query)
    if (name !== undefined) throw refuse('invalid_query', `Unknown parameter ${name}.`)
    return {}
  }
  return parseWith(def.query, { ...query }, 'invalid_query')
}
