/** An exception that was not expected: no route or protocol shows its text, and each names its request. */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { createApp } from '../../../../src/http/app.ts'
import type { METHODS as A2A_METHODS } from '../../../../src/http/schemas/protocols/a2a.ts'
import type { World } from '../../../../src/ports/world.ts'
import { settle, TENANT, testWorld } from '../../../support/drive.ts'

const SECRET = 'leaked-words'
const TRACE = /leaked-words|node_modules|file:\/\/|\bat \S+ \(|\.ts:\d+/

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly object[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Schema {
  readonly $ref?: string
  readonly examples?: readonly unknown[]
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const contract = parse(readFileSync('openapi.yaml', 'utf8')) as Contract

function exampleOf({ $ref, examples }: Schema = {}): unknown {
  if ($ref !== undefined) return exampleOf(contract.components.schemas[$ref.split('/').at(-1)!])
  return examples?.[0]
}

interface Call {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly type: string
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Every operation of the contract, as its examples show it. */
function calls(fill: (path: string) => string): Call[] {
  return Object.entries(contract.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method]
      if (!operation) return []
      const [type = 'application/json', content] =
        Object.entries(operation.requestBody?.content ?? {})[0] ?? []
      const example = exampleOf(content?.schema)
      const body =
        operation.requestBody === undefined
          ? undefined
          : type.includes('json')
            ? JSON.stringify(example ?? {})
            : String(example ?? 'x')
      return [{ name: `${method} ${path}`, method, path: fill(path), body, type }]
    }),
  )
}

const rpc = (method: string, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Ports whose every call throws what no port should. */
const PORTS = ['store', 'objects', 'queue', 'model', 'tools', 'web', 'secrets', 'feed'] as const

function breakable(world: World, isBroken: (port: string) => boolean): World {
  const broken = PORTS.map((port) => [
    port,
    new Proxy(world[port] as object, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (isBroken(port)) throw new TypeError(`${SECRET} ${String(name)}`)
          return (value as (...all: unknown[]) => unknown).apply(target, given)
        }
      },
    }),
  ])
  return { ...world, ...Object.fromEntries(broken) }
}

/** The value, or undefined when it waits for time, which does not pass here. */
async function settled<T>(promise: T | Promise<T>): Promise<T | undefined> {
  let done = false
  const value = Promise.resolve(promise).finally(() => {
    done = true
  })
  value.catch(() => undefined)
  for (let turn = 0; turn < 300 && !done; turn += 1) await new Promise(setImmediate)
  return done ? value : undefined
}

/** The text as far as it comes by itself: streams stay open. */
async function textOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const piece = await settled(reader.read())
    if (piece === undefined || piece.done) break
    text += decoder.decode(piece.value, { stream: true })
  }
  void reader.cancel().catch(() => undefined)
  return text
}

describe('an unexpected exception', () => {
  let broken = ''
  const errors: unknown[] = []
  let ask: (
    call: Call,
  ) => Promise<{ readonly status: number; readonly text: string; readonly id: string | null }>
  let all: readonly Call[]

  beforeAll(async () => {
    const inner = testWorld({
      web: { check: () => undefined, send: async () => ({ ok: false, error: 'none' }) },
    })
    const world = breakable(inner, (port) => port === broken)
    const { app } = createApp(world, { onError: (error) => errors.push(error) })
    const { key } = await createKey(world, TENANT, ['*'])
    ask = async ({ method, path, body, type }) => {
      const response = await settled(
        app.request(path, {
          method: method.toUpperCase(),
          headers: {
            authorization: `Bearer ${key}`,
            ...(body === undefined ? {} : { 'content-type': type }),
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-06-18',
            'a2a-version': '1.0',
          },
          ...(body === undefined ? {} : { body }),
        }),
      )
      if (response === undefined) return { status: 0, text: '', id: null }
      const id = response.headers.get('x-request-id')
      return { status: response.status, text: await textOf(response), id }
    }
    const made = await app.request('/v1/runs', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: '@say hello' }),
    })
    const { id } = (await made.json()) as { id: string }
    await settle(inner)
    const ids: Readonly<Record<string, string>> = {
      '/v1/runs': id,
      '/v1/sessions': id.replace('run_', 'ses_'),
    }
    const fill = (path: string): string => {
      const [base] = Object.keys(ids).filter((one) => path.startsWith(`${one}/{id}`))
      return path
        .replace('{id}', base === undefined ? 'fan_00000000000000000000000000' : ids[base]!)
        .replaceAll(/\{[^}]+\}/g, 'general')
    }
    const others = [
      ['runs_get', { run_id: id }],
      ['runs_create', { input: '@say x' }],
      ['agents_list', {}],
    ].map(([name, given]) => rpc('tools/call', { name, arguments: given }))
    const mcp = [
      rpc('tools/list', {}),
      rpc('resources/list', {}),
      rpc('prompts/list', {}),
      ...others,
    ]
    const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: '@say hello' }] }
    const push = { taskId: id, id: 'default', url: 'https://a.example/hook' }
    const params: Readonly<Record<keyof typeof A2A_METHODS, object>> = {
      SendMessage: { message, configuration: { returnImmediately: true } },
      GetTask: { id },
      ListTasks: {},
      CancelTask: { id },
      SubscribeToTask: { id },
      CreateTaskPushNotificationConfig: push,
      GetTaskPushNotificationConfig: push,
      ListTaskPushNotificationConfigs: push,
      DeleteTaskPushNotificationConfig: push,
      GetExtendedAgentCard: {},
    }
    const a2a = [...Object.entries(params), ['SendStreamingMessage', { message }] as const]
    all = [
      ...a2a.map(([method, given]) => ({
        name: `a2a ${method}`,
        method: 'post',
        path: '/v1/a2a/general',
        body: rpc(method, given),
        type: 'application/json',
      })),
      ...calls(fill).filter(({ path }) => !path.includes('/docs')),
      ...mcp.map((body, at) => ({
        name: `mcp ${at}`,
        method: 'post',
        path: '/mcp',
        body,
        type: 'application/json',
      })),
    ]
  })

  it.each(PORTS)('of the %s is exposed by no route', async (port) => {
    const shown: string[] = []
    let unexpected = 0
    for (const call of all) {
      broken = port
      const answer = await ask(call).catch((error: unknown) => ({
        status: 0,
        text: String(error),
        id: null,
      }))
      broken = ''
      if (answer.text.includes('-32603') && !answer.text.includes('req_')) {
        shown.push(`${call.name}: ${answer.text.slice(0, 200)} names no request`)
      }
      if (TRACE.test(answer.text)) shown.push(`${call.name}: ${answer.text.slice(0, 200)}`)
      if (answer.status === 500) unexpected += 1
      if (answer.status === 500 && !answer.text.includes(answer.id ?? 'no id')) {
        shown.push(`${call.name}: ${answer.text.slice(0, 200)} names no request`)
      }
    }
    expect(shown).toEqual([])
    if (port === 'store') expect(unexpected).toBeGreaterThan(20)
  })
})

describe('a stream that fails midway', () => {
  const streams: readonly (readonly [name: string, path: string, body: object | undefined])[] = [
    ['events', '/v1/runs/{id}/events', undefined],
    ['events of a tree', '/v1/runs/{id}/events?include=subagents', undefined],
    ['a run', '/v1/runs', { input: '@say hello' }],
    ['a response', '/v1/responses', { model: 'general', input: '@say hello', stream: true }],
    [
      'a chat completion',
      '/v1/chat/completions',
      { model: 'general', messages: [{ role: 'user', content: '@say hello' }], stream: true },
    ],
    [
      'AG-UI',
      '/v1/ag-ui/general',
      {
        ...{ threadId: 't1', runId: 'r1', state: {}, tools: [], context: [], forwardedProps: {} },
        messages: [{ id: 'm1', role: 'user', content: '@say hello' }],
      },
    ],
    [
      'A2A',
      '/v1/a2a/general',
      {
        ...{ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage' },
        params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '@say hello' }] } },
      },
    ],
  ]

  it.each(streams)(
    '%s ends with an error event and exposes no text of the exception',
    async (...at) => {
      const [, path, body] = at
      let isBroken = false
      const lines: object[] = []
      const inner = testWorld({ log: { write: (line) => void lines.push(line) } })
      const world = breakable(inner, (port) => isBroken && port === 'store')
      const { app } = createApp(world, { onError: () => undefined })
      const { key } = await createKey(world, TENANT, ['*'])
      const headers = {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'a2a-version': '1.0',
      }
      const run = await app.request('/v1/runs', {
        ...{ method: 'POST', headers: { ...headers, accept: 'application/json' } },
        body: JSON.stringify({ input: '@say hello' }),
      })
      const { id } = (await run.json()) as { id: string }
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await app.request(path.replace('{id}', id), { headers, ...init })
      expect(response.status).toBe(200)
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
      isBroken = true
      // All streams look again.
      inner.clock.advance(20_000)
      const text = await textOf(response)
      isBroken = false
      expect(text).not.toMatch(TRACE)
      expect(text).toContain(': internal: the stream was interrupted; reconnect to continue\n\n')
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 'error', event: 'stream.broken', error: 'TypeError' }),
      )
      expect(JSON.stringify(lines)).not.toContain(SECRET)
    },
  )
})
