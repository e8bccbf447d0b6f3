/**
 * A route is one declaration: its input, its answers, its scopes. The same zod schemas validate
 * requests and make openapi.yaml, so the document cannot drift from the program.
 */

import type { Context, Hono } from 'hono'
import type * as z from 'zod'
import { LIMITS } from '../core/limits.ts'
import { withoutNulls } from '../core/nulls.ts'
import {
  holds,
  type LayerUse,
  prefixesFor,
  prefixesOf,
  type Scope,
  type Within,
} from '../core/scopes.ts'
import { DEFAULT_TENANT } from '../engine/partition/keys.ts'
import type { Principal } from '../engine/tenant/api-keys.ts'
import type { Counted } from '../engine/tenant/request-rate.ts'
import { sha256 } from '../lib/digest.ts'
import type { Clock, World } from '../ports/world.ts'
import { jsonBody, mediaBody, parseWith } from './body.ts'
import { clientAddress } from './client-address.ts'
import type { AnswerHeader, RefusalStatus } from './openapi/names.ts'
import { refuse } from './problem.ts'
import { checkToken, type Subject } from './token-rights.ts'

export interface Env {
  Variables: {
    requestId: string
    principal: Principal
    /** Where a key makes it one request. */
    bodyDigest: string
    route: string
    counted: Counted
  }
  Bindings: {
    /** The request target as it came, where the host knows it: URLs repair dot segments. */
    readonly target?: string
    /** Where the connection comes from. */
    readonly address?: string | undefined
    /** The platform's own edge has said so: no proxy of the operator's stands before it. */
    readonly viaEdge?: true
    /** Takes work that goes on behind the answer; absent: the process goes on by itself. */
    readonly after?: ((work: Promise<void>) => void) | undefined
  }
}
export type App = Hono<Env>

export interface Answer {
  readonly description: string
  readonly schema?: z.ZodType
  /** Default: application/json. */
  readonly type?: string
  /** The same as server-sent events, for who accepts them: the data of one. */
  readonly stream?: z.ZodType
  /** Those that do not follow from what the route takes. */
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
  /** `null`: no key is needed; `any`: any key opens it, a token of it none. */
  readonly scope: Scope | 'any' | null
  /** With `any`: its handler admits also who comes without a key. */
  readonly keyless?: true
  /** Keys of a prefix may ask for it: it judges the layer or file that it works on by `within`. */
  readonly layers?: LayerUse
  /** Of the operator alone: to keys of other tenants there is no such path. */
  readonly operator?: true
  /** A short-lived token for the thing that `{id}` names opens it. */
  readonly subject?: Subject
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
  readonly rawBody?: string
  /** The body's meaning, for the contract: its bytes are taken as they are. */
  readonly rawShape?: z.ZodType
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of refusals that do not follow from what it takes. */
  readonly refusals?: readonly RefusalStatus[]
}

export interface Call<R extends Route> {
  readonly c: Context<Env>
  readonly world: World
  readonly tenant: string
  /** The id of the API key or token, as the audit names it. */
  readonly by: string
  /** The prefixes that the key reaches, on a route that has `layers`; undefined: all. */
  readonly within: Within
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
  readonly query: R['query'] extends z.ZodType ? z.output<R['query']> : Record<string, never>
}

export interface Api {
  readonly app: App
  readonly world: World
  /** Every declared route, for openapi.json and for tests that walk them all. */
  readonly routes: Route[]
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
    const principal = c.get('principal')
    if (def.operator && !isOperator(principal)) return c.notFound()
    c.set('route', def.path)
    const within = await authorized(api, def, c, principal)
    if (principal) await inTurn(api, principal, c)
    const query = parseQuery(def, c)
    const body = def.body ? bodyAs(def.body, await readBody(c, def, api.world.clock)) : undefined
    const { tenant = '', key_id = '', token } = principal ?? {}
    const by = token?.id ?? key_id
    const world = def.method === 'get' ? api.world : askedBy(api.world, by, c)
    return handle({ c, world, tenant, by, within, body, query } as Call<R>)
  })
}

/** Keys of the tenant that a deployment begins with are its operator's. */
export const isOperator = (principal: Principal | undefined): boolean =>
  principal?.tenant === DEFAULT_TENANT

/** The world as a request changes it: the audit says which one. */
const askedBy = (world: World, by: string, c: Context<Env>): World => ({
  ...world,
  request: {
    by,
    id: c.get('requestId'),
    // Few requests leave an entry that names it.
    get address() {
      return clientAddress(c, world)
    },
  },
})

/** An optional member that is null is not given (`core/nulls.ts`). */
const bodyAs = (schema: z.ZodType, value: unknown): unknown =>
  parseWith(schema, withoutNulls(schema, value))

/** The JSON of the body; for an idempotency key the digest of its bytes is kept. */
async function readBody(c: Context<Env>, def: Route, clock: Clock): Promise<unknown> {
  if (def.bodyOptional && hasNoBody(c)) return {}
  const limit = def.bodyLimit ?? LIMITS.json_body_bytes
  const { value, bytes } = def.takesMedia
    ? await mediaBody(c.req, limit, LIMITS.media_body_bytes, clock, def.takesMedia === 'urls')
    : await jsonBody(c.req, limit, clock)
  if (c.req.header('idempotency-key') !== undefined) c.set('bodyDigest', sha256(bytes))
  return value
}

async function inTurn({ world }: Api, { tenant }: Principal, c: Context<Env>): Promise<void> {
  await world.pace?.turn(tenant, { length: lengthOf(c), isRequest: true })
}

/** Of a body that is announced; one that comes in chunks counts when it is read. */
const lengthOf = ({ req }: Context<Env>): number => Number(req.header('content-length')) || 0

function hasNoBody({ req }: Context<Env>): boolean {
  const length = req.header('content-length')
  if (length !== undefined) return length === '0'
  return req.header('transfer-encoding') === undefined && req.header('content-type') === undefined
}

async function authorized(
  { world }: Api,
  def: Route,
  c: Context<Env>,
  principal: Principal | undefined,
): Promise<Within> {
  const { tenant = '', token } = principal ?? {}
  if (def.scope === null || !token) return authorize(def, principal)
  await checkToken(world, c, def.subject, { tenant, token })
  return undefined
}

function authorize(def: Route, principal: Principal | undefined): Within {
  if (def.scope === null) return undefined
  if (!principal && def.keyless) return undefined
  if (!principal) throw refuse('unauthorized', 'Send `Authorization: Bearer <API key>`.')
  if (def.scope === 'any') return undefined
  if (allows(principal, def.scope)) return undefined
  const within = def.layers ? prefixesOf(principal.scopes, def.layers) : []
  if (within.length > 0) return within
  throw refuse('insufficient_scope', lacking(principal.scopes, def.scope))
}

/** Says to a key of a prefix that this is not about one layer. */
function lacking(scopes: readonly string[], scope: string): string {
  const sentence = `The key lacks the scope ${scope}`
  const prefixes = prefixesFor(scopes, scope)
  if (prefixes.length === 0) return `${sentence}.`
  return `${sentence}: its own counts below ${prefixes.join(', ')} only, and this is about all layers.`
}

export const allows = ({ scopes }: Pick<Principal, 'scopes'>, scope: Scope): boolean =>
  holds(scopes, scope)

/** One value a parameter; a repeated one is refused, so that no two readers differ. */
function parseQuery(def: Route, c: Context<Env>): unknown {
  const given: Record<string, string> = Object.create(null)
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) throw refuse('invalid_query', `${name} is given twice.`)
    // Zod passes over it in silence.
    if (name === '__proto__') throw refuse('invalid_query', `${name} is not known here.`)
    given[name] = values[0]!
  }
  if (!def.query) {
    const [name] = Object.keys(given)
    if (name !== undefined) throw refuse('invalid_query', `${name} is not known here.`)
    return {}
  }
  return parseWith(def.query, { ...given }, 'invalid_query')
}
