/**
 * The real HTTP app on a memory world, with a key, and every answer checked against the contract:
 * the status must be declared, and the body must be what the document says.
 */

import { Validator } from '@cfworker/json-schema'
import { handle } from '../../src/engine/handle.ts'
import { createKey } from '../../src/engine/keys.ts'
import type { MemoryOverrides, MemoryWorld } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'
import { openapi } from '../../src/http/openapi.ts'
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
export interface CallInit {
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

export async function testApi(overrides: MemoryOverrides = {}): Promise<TestApi> {
  const world = testWorld(overrides)
  const errors: unknown[] = []
  const { app, routes } = createApp(world, { onError: (error) => errors.push(error) })
  const document = openapi(routes)
  const { key } = await createKey(world, TENANT, ['*'])
  const settle = async (): Promise<void> => {
    for (let wakes = world.queue.take(); wakes.length > 0; wakes = world.queue.take()) {
      await withTime(world, Promise.all(wakes.map((wake) => handle(world, wake))))
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
    const parsed = /json/.test(type) ? JSON.parse(text) : undefined
    const { status, headers: sent } = response
    conforms(document, { method, path, status, type, body: parsed, sent })
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
/** Those every answer has, or that are about its body. */
const NOT_TOLD = /^(?:content-|cache-control$|x-content-type-options$|x-accel-)/

/** Throws when the answer is not one that the contract declares. */
function conforms(document: Doc, seen: Seen): void {
  const { status, type, body } = seen
  const spoken = seen.path === '/mcp' && type.startsWith('application/json')
  if (status >= 400 && !spoken && !type.startsWith('application/problem+json')) {
    throw new Error(`${seen.method} ${seen.path}: ${status} is no problem document (${type})`)
  }
  const operation = operationOf(document, seen)
  if (!operation) return
  const { responses } = operation
  const declared = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (!declared) throw new Error(`${seen.method} ${seen.path}: ${status} is not in the contract`)
  const told = Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase())
  const more = [...seen.sent.keys()].filter((name) => !told.includes(name) && !NOT_TOLD.test(name))
  if (more.length > 0) {
    throw new Error(`${seen.method} ${seen.path} ${status}: ${more} is not in the contract`)
  }
  const schema = declared.content?.[type.split(';')[0]!]?.schema
  if (!schema || body === undefined) return
  const { components } = document as { components: unknown }
  const { valid, errors } = new Validator({ ...schema, components }, '2020-12', false).validate(
    body,
  )
  if (!valid) {
    const why = errors
      .slice(-3)
      .map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
    throw new Error(`${seen.method} ${seen.path} ${status}: ${why.join('; ')}`)
  }
}

interface Operation {
  readonly responses: Record<
    string,
    { headers?: object; content?: Record<string, { schema?: object }> }
  >
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
