/**
 * A route is one declaration: its input, its answers, its scopes. The same zod schemas validate
 * requests and make openapi.yaml, so the document cannot drift from the program.
 */

import type { Context, Hono } from 'hono'
import type * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { withoutNulls } from '../../core/nulls.ts'
import { admits, holds, type Scope } from '../../core/scopes.ts'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import type { World } from '../../ports/world.ts'
import { take } from './admission.ts'
import { jsonBody, mediaBody, parseWith } from './body.ts'
import type { Env } from './env.ts'
import { narrowed, withoutIgnored } from './ignored-members.ts'
import type { AnswerHeader, RefusalStatus } from './names.ts'
import { givenQuery } from './parameters.ts'
import { refuse } from './problem.ts'
import { checkReach } from './token-reach.ts'

export type { Env } from './env.ts'
export type App = Hono<Env>

export interface Answer {
  readonly description: string
  readonly schema?: z.ZodType
  /** Default: application/json. */
  readonly type?: string
  /** Server-sent events for clients that accept them: the data of one. */
  readonly stream?: z.ZodType
  /** Headers that do not follow from the input of the route. */
  readonly headers?: readonly AnswerHeader[]
}

export interface Route {
  /** Its name in generated clients, in camelCase: `createRun`. */
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** OpenAPI form: `/v1/runs/{id}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** `any`: a credential with any scopes; `null`: no credential. */
  readonly scope: Scope | 'any' | null
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  readonly params?: Readonly<Record<string, string>>
  readonly body?: z.ZodType
  /** No body at all means `{}`. */
  readonly bodyOptional?: boolean
  /** Bytes of a JSON body; default: LIMITS.json_body_bytes. */
  readonly bodyLimit?: number
  /**
   * Pictures and files in base64 come on top, up to LIMITS.media_body_bytes in all; `urls`: also
   * where data URLs hold them.
   */
  readonly takesMedia?: true | 'urls'
  /** A body in the words of another product: what is not used is left out and named. */
  readonly ignoresUnknown?: true
  readonly rawBody?: string
  /** Starts of runs that the request counts as: one, or as many as its body has `tasks`. */
  readonly starts?: 'run' | 'tasks'
  /** The body's meaning, for the contract: its bytes are taken as they are. */
  readonly rawShape?: z.ZodType
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of refusals that do not follow from its input. */
  readonly refusals?: readonly RefusalStatus[]
}

export interface Call<R extends Route> {
  readonly c: Context<Env>
  readonly world: World
  readonly tenant: string
  /** The id of the API key or the token, as the audit names it. */
  readonly by: string
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
  readonly query: R['query'] extends z.ZodType ? z.output<R['query']> : Record<string, never>
  /** Names of body members that this route does not use. */
  readonly ignored: readonly string[]
}

export interface Api {
  readonly app: App
  readonly world: World
  /** Every declared route, for openapi.json and for tests that walk them all. */
  readonly routes: Route[]
  /** Reports an exception that was not expected to the operator. */
  readonly onError: (error: unknown, requestId: string) => void
}

/** Declares a route and how it is answered. */
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
    return handle({ c, world: api.world, tenant, by, body, query, ignored } as Call<R>)
  })
}

/** An open fan-out may start without tasks. */
const startsOf = ({ starts }: Route, body: unknown): number =>
  starts === 'run' ? 1 : ((body as { readonly tasks?: readonly unknown[] }).tasks?.length ?? 0)

/** An optional member that is null is not given (`core/nulls.ts`). */
function bodyOf({ body, ignoresUnknown }: Route, c: Context<Env>, input: unknown): unknown {
  return ignoresUnknown
    ? parseForeign(c, body!, input)
    : parseWith(body!, withoutNulls(body!, input))
}

/** A value in the words of another product; the answer names what of it is not used. */
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

/** The JSON of the body; the digest of its bytes is kept for idempotency keys. */
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

/** The announced length; a chunked body is counted while it is read. */
const lengthOf = ({ req }: Context<Env>): number => Number(req.header('content-length')) || 0

function hasNoBody({ req }: Context<Env>): boolean {
  const length = req.header('content-length')
  if (length !== undefined) return length === '0'
  return req.header('transfer-encoding') === undefined && req.header('content-type') === undefined
}

function authorize(def: Route, principal: Principal | undefined): void {
  if (def.scope === null) return
  if (!principal) throw refuse('unauthorized', 'Send `Authorization: Bearer <API key>`.')
  if (def.scope === 'any' || admits(principal.scopes, def.scope)) return
  const credential = principal.token ? 'token' : 'key'
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
