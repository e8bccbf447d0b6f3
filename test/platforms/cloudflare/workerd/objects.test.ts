/** Objects in R2, in workerd, keep the promises of their port. */

import { expect, it } from 'vitest'
import type { R2 } from '../../../../src/hosts/cloudflare/bindings/bindings.ts'
import { r2Objects } from '../../../../src/hosts/cloudflare/ports/r2.ts'
import { decode, encode } from '../../../../src/lib/bytes.ts'
import { objectsContract } from '../../../contract/objects.ts'
import { env } from './env.ts'

objectsContract('R2', () => r2Objects(env.BUCKET))

/** A bucket whose first puts fail: before they arrive, or when they have. */
function failing(times: number, arrives: boolean): R2 {
  let left = times
  return {
    get: (key) => env.BUCKET.get(key),
    head: (key) => env.BUCKET.head(key),
    delete: (key) => env.BUCKET.delete(key),
    list: (options) => env.BUCKET.list(options),
    async put(key, body, options) {
      if (left === 0) return env.BUCKET.put(key, body, options)
      left -= 1
      if (arrives) await env.BUCKET.put(key, body, options)
      throw new Error('put: Reduce your concurrent request rate for the same object. (10058)')
    },
  }
}

it('a put that comes too early is retried, and one whose answer was lost is settled by a read', async () => {
  const late = r2Objects(failing(1, false))
  expect(await late.put('too/soon', encode('one'), 'absent')).not.toBe('conflict')
  expect(decode((await late.get('too/soon'))!.body)).toBe('one')
  const lost = r2Objects(failing(1, true))
  expect(await lost.put('an/answer', encode('one'), 'absent')).not.toBe('conflict')
  const other = r2Objects(failing(1, false))
  expect(await other.put('an/answer', encode('two'), 'absent')).toBe('conflict')
})
