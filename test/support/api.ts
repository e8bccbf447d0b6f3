/** The API before a world in memory, with an admin key: requests without a socket. */

import { createKey } from '../../src/engine/tenant/api-keys.ts'
import type { MemoryOverrides, MemoryWorld } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'
import { putFiles, TENANT, testWorld } from './drive.ts'

export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it stands in the test
  readonly body: any
  readonly etag: string | null
  readonly headers: Headers
}

export interface TestApi {
  readonly world: MemoryWorld
  readonly key: string
  /** `GET /v1/x`, a body, and headers; without a body nothing is sent, bytes go as they are. */
  readonly call: (
    request: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answered>
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
  /** The text of a file of the tenant, or undefined. */
  readonly read: (path: string) => Promise<string | undefined>
}

export async function testApi(overrides: MemoryOverrides = {}): Promise<TestApi> {
  const web = { check: () => undefined, send: async () => ({ ok: false, error: 'none' }) as const }
  const world = testWorld({ web, ...overrides })
  const errors: unknown[] = []
  const { app } = createApp(world, { onError: (error) => errors.push(error) })
  const { key } = await createKey(world, TENANT, ['*'])
  return {
    world,
    key,
    async call(request, body, headers = {}) {
      const [method = 'GET', path = '/'] = request.split(' ')
      const sent = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await app.request(path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...sent, ...headers },
        ...(body === undefined
          ? {}
          : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      })
      if (errors.length > 0) throw errors[0]
      const text = await response.text()
      const json = /json/.test(response.headers.get('content-type') ?? '')
      const etag = response.headers.get('etag')
      const { status } = response
      return { status, body: json ? JSON.parse(text) : text, etag, headers: response.headers }
    },
    write: (files) => putFiles(world, files),
    async read(path) {
      const object = await world.objects.get(`${TENANT}/files/${path}`)
      return object === null ? undefined : new TextDecoder().decode(object.body)
    },
  }
}
