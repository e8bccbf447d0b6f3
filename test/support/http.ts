/**
 * The real HTTP app on a memory world, with a key, and every answer checked against the contract:
 * the status must be declared, and the body must be what the document says.
 */

import { Validator } from '@cfworker/json-schema'
import { dispatch } from '../../src/engine/dispatch.ts'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { tenantSecrets } from '../../src/engine/tenant/secrets.ts'
import type { MemoryOverrides, MemoryWorld } from '../../src/hosts/memory/world.ts'
import { sourceAssets } from '../../src/hosts/node/source-assets.ts'
import { createApp } from '../../src/http/app.ts'
import { openapi } from '../../src/http/openapi/document.ts'
import { genericRefusals, refusalHeaders } from '../../src/http/openapi/problems.ts'
import type { RefusalStatus } from '../../src/http/request/names.ts'
import type { Route } from '../../src/http/request/route.ts'
import { TENANT, testWorld, withTime } from './drive.ts'

export interface TestApi {
  readonly world: MemoryWorld
  readonly key: string
  /** Errors that became a 500. */
  readonly errors: unknown[]
  call(method: string, path: string, init?: CallInit): Promise<Answer>
  /** Handles wakes until nothing moves. */
  settle(): Promise<void>
}
interface CallInit {
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string | null
}
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  readonly body: any
}

interface Contract {
  readonly document: Doc
  readonly routes: readonly Route[]
}
/** Routes depend on no world, so that one document, which takes long to make, serves all apps. */
let shared: Contract | undefined

export async function testApi(
  overrides: MemoryOverrides = {},
  wrap: (world: MemoryWorld) => MemoryWorld = (world) => world,
): Promise<TestApi> {
  const bare = wrap(testWorld(overrides))
  const world = { ...bare, secrets: tenantSecrets(bare.secrets, bare) }
  const errors: unknown[] = []
  const { app, routes } = createApp(world, {
    onError: (error) => errors.push(error),
    assets: sourceAssets(() => routes),
  })
  shared ??= { document: openapi(routes), routes }
  const contract = shared
  const { key } = await createKey(world, TENANT, ['*'])
  const settle = async (): Promise<void> => {
    for (let wakes = world.queue.take(); wakes.length > 0; wakes = world.queue.take()) {
      await withTime(world, Promise.all(wakes.map((wake) => dispatch(world, wake))))
    }
  }
  const call = async (method: string, path: string, init: CallInit = {}): Promise<Answer> => {
    const headers: Record<string, string> = { ...init.headers }
    if (init.key !== null) headers.authorization ??= `Bearer ${init.key ?? key}`
    let body = init.body
    if (init.json !== undefined) {
      headers['content-type'] ??= 'application/json'
      body = JSON.stringify(init.json)
    }
    const request = { method, headers, ...(body === undefined ? {} : { body }) }
    const pending = Promise.resolve(app.request(path, request as RequestInit))
    const response = await withTime(world, pending)
    const text = await withTime(world, response.text())
    const type = response.headers.get('content-type') ?? ''
    const parsed = /json(?!l)/.test(type) && text !== '' ? JSON.parse(text) : undefined
    const { status, headers: sent } = response
    const events = type.startsWith('text/event-stream') ? dataOf(text) : undefined
    for (const body of events ?? [parsed]) {
      conforms(contract, { method, path, status, type, body, sent })
    }
    return { status, headers: sent, text, body: parsed }
  }
  return { world, key, errors, call, settle }
}

type Doc = ReturnType<typeof openapi>
interface Seen {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly type: string
  readonly body: unknown
  readonly sent: Headers
}
/** The data of each event of a stream. */
const dataOf = (text: string): unknown[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))

/** Those every answer has, or that are about its body or its connection. */
const NOT_TOLD = new RegExp(
  '^(?:access-control-|connection$|content-|cache-control$|cross-origin-|referrer-policy$|' +
    'strict-|vary$|x-(?:content-type-options$|accel-))',
)

/** Throws when the answer is not one that the contract declares. */
function conforms({ document, routes }: Contract, seen: Seen): void {
  const { status, type, body } = seen
  const spoken = seen.path === '/mcp' && type.startsWith('application/json')
  if (status >= 400 && !spoken && !type.startsWith('application/problem+json')) {
    throw new Error(`${seen.method} ${seen.path}: ${status} is no problem document (${type})`)
  }
  const operation = operationOf(document, seen)
  if (!operation) return
  const listed = resolved(document, operation.responses[status])
  const declared = listed ?? genericRefusal(document, operation, status, routes)
  if (!declared) throw new Error(`${seen.method} ${seen.path}: ${status} is not in the contract`)
  const told = Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase())
  const more = [...seen.sent.keys()].filter((name) => !told.includes(name) && !NOT_TOLD.test(name))
  if (more.length > 0) {
    throw new Error(`${seen.method} ${seen.path} ${status}: ${more} is not in the contract`)
  }
  const schema = declared.content?.[type.split(';')[0]!]?.schema
  if (!schema || body === undefined) return
  const why = faultsOf(document, schema, body)
  if (why.length > 0) {
    throw new Error(`${seen.method} ${seen.path} ${status}: ${why.slice(-3).join('; ')}`)
  }
}

/** By the schema's object: each reads all components of the document first. */
const validators = new WeakMap<object, Validator>()

/** What is wrong with a value by a schema of the document; the last ones are the deepest. */
export function faultsOf(document: Doc, schema: object, value: unknown): readonly string[] {
  const { components } = document as { components: unknown }
  let validator = validators.get(schema)
  if (validator === undefined) {
    validator = new Validator({ ...schema, components }, '2020-12', false)
    validators.set(schema, validator)
  }
  const { errors } = validator.validate(value)
  return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
}

interface Declared {
  readonly $ref?: string
  readonly headers?: object
  readonly content?: Record<string, { schema?: object }>
}
interface Operation {
  readonly operationId: string
  readonly responses: Record<string, Declared>
}

/** The `default` of an operation, with the headers of one status that it may stand for. */
function genericRefusal(
  document: Doc,
  { operationId, responses }: Operation,
  status: number,
  routes: readonly Route[],
): Declared | undefined {
  const { default: refusal } = responses
  const route = routes.find(({ id }) => id === operationId)
  const statuses: readonly number[] = route ? genericRefusals(route) : []
  if (!refusal || !statuses.includes(status)) return undefined
  const { headers = {}, ...declared } = resolved(document, refusal) ?? {}
  const sent = [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    ...refusalHeaders(status as RefusalStatus),
  ]
  const told = Object.entries(headers).filter(([name]) => sent.includes(name))
  return { ...declared, headers: Object.fromEntries(told) }
}

/** What a reference to `components/responses` stands for. */
function resolved(document: Doc, declared: Declared | undefined): Declared | undefined {
  if (declared?.$ref === undefined) return declared
  const { components } = document as { components: { responses: Record<string, Declared> } }
  return components.responses[declared.$ref.replace(/^.*\//, '')]
}

function operationOf(document: Doc, { method, path }: Seen): Operation | undefined {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }
  const [bare] = path.split('?')
  const found = Object.entries(paths).find(([template]) => {
    const source = template.replace(/\/\{path\}$/, '/.+').replaceAll(/\{\w+\}/g, '[^/]+')
    return new RegExp(`^${source}$`).test(bare!)
  })
  return found?.[1][method.toLowerCase()]
}
