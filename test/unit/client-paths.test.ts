/** Paths of the client: parameters with `.` or `..` would lead to another operation. */

import { expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { fillPath } from '../../src/client/methods.ts'

it('a parameter never leaves its path', () => {
  expect(fillPath('/v1/files/{path}', ['base/a b.md'])).toBe('/v1/files/base/a%20b.md')
  expect(fillPath('/v1/keys/{id}', ['a/b'])).toBe('/v1/keys/a%2Fb')
  for (const place of ['..', '.', '../keys/k', 'base/../../keys/k', 'base/./a', 'a/..'])
    for (const path of ['/v1/memory/{path}', '/v1/keys/{id}'])
      expect(() => fillPath(path, [place])).toThrow('a segment . or ..')
})

it('no request is sent for such a parameter', async () => {
  const requests: unknown[] = []
  const client = createClient({
    ...{ url: 'http://127.0.0.1:1', apiKey: 'k' },
    fetch: async (...args) => {
      requests.push(args)
      return new Response(null, { status: 204 })
    },
  })
  const calls = [
    () => client.memory.delete('../keys/k'),
    () => client.files.put('base/../x', 'text'),
    () => client.files.get('../runs'),
    () => client.runs.get('..'),
  ]
  for (const call of calls) await expect((async () => call())()).rejects.toThrow(TypeError)
  expect(requests).toEqual([])
})
