/** What holds of keys and of tenants, whatever they are and do. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKey, newKey, verifyKey } from '../../src/engine/tenant/api-keys.ts'
import { type TestApi, testApi } from '../support/http.ts'

describe('a key', () => {
  it('is read back as it was made, and one character less, more or other is none', async () => {
    const { world } = await testApi()
    const { key, id } = await createKey(world, 'acme', ['runs:read'])
    expect(await verifyKey(world, key)).toMatchObject({ tenant: 'acme', key_id: id })
    const at = fc.nat({ max: key.length - 1 })
    const other = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz_ILOU -')
    await fc.assert(
      fc.asyncProperty(at, other, fc.constantFrom(0, 1), async (where, letter, kept) => {
        const bent = key.slice(0, where) + letter + key.slice(where + 1 - kept)
        fc.pre(bent !== key)
        expect(await verifyKey(world, bent)).toBeUndefined()
        expect(await verifyKey(world, key.slice(0, where))).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('of one tenant is never taken for one of another, however chance falls', async () => {
    const { world } = await testApi()
    const bytes = fc.uint8Array({ minLength: 64, maxLength: 64 })
    await fc.assert(
      fc.asyncProperty(bytes, async (random) => {
        const { key } = newKey((count) => random.subarray(0, count))
        expect(await verifyKey(world, key)).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })
})

type Step = readonly ['put' | 'get' | 'drop' | 'note' | 'run' | 'runs' | 'files' | 'policy', number]

const STEP: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('put', 'get', 'drop', 'note', 'run', 'runs', 'files', 'policy'),
  fc.nat({ max: 2 }),
)

/** One step of a tenant, as its answer shows it without chance and time. */
async function taken(api: TestApi, key: string, [what, n]: Step): Promise<string> {
  // Runs of one millisecond lie in the order of chance.
  api.world.clock.advance(1)
  const file = `/v1/files/base/notes/${n}.md`
  const call = async (method: string, path: string, json?: unknown) => {
    const { status, text } = await api.call(method, path, { key, ...(json ? { json } : {}) })
    await api.settle()
    return `${what} ${n}: ${status} ${plain(text)}`
  }
  switch (what) {
    case 'put': {
      const body = { key, body: `text ${n}`, headers: { 'content-type': 'text/plain' } }
      const { status, text } = await api.call('PUT', file, body)
      return `${what} ${n}: ${status} ${plain(text)}`
    }
    case 'get':
      return call('GET', file)
    case 'drop':
      return call('DELETE', file)
    case 'note':
      return call('GET', `/v1/memory?limit=${n + 1}`)
    case 'run':
      return call('POST', '/v1/runs', { input: `@say ${n}`, metadata: { n: `${n}` } })
    case 'runs':
      return call('GET', '/v1/runs?limit=5')
    case 'files':
      return call('GET', '/v1/files?prefix=base/')
    case 'policy':
      return call('GET', '/v1/policy')
  }
}

const plain = (text: string): string =>
  text
    .replaceAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    // The bucket in memory counts the writes of all; those of hosts name contents or chance.
    .replaceAll(/"v\d+"/g, '"v"')
    .replaceAll(/"(?:duration_ms|age_ms)":\d+/g, '"ms":0')

describe('a tenant', () => {
  it('is answered the same, whatever another one does meanwhile', async () => {
    const steps = fc.array(STEP, { minLength: 1, maxLength: 8 })
    const theirs = fc.array(fc.array(STEP, { maxLength: 3 }), { minLength: 8, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(steps, theirs, async (ours, between) => {
        const answers = async (withOthers: boolean): Promise<string[]> => {
          const api = await testApi()
          const { key } = await createKey(api.world, 'acme', ['*'])
          const { key: foreign } = await createKey(api.world, 'other', ['*'])
          const all: string[] = []
          for (const [at, step] of ours.entries()) {
            if (withOthers) for (const one of between[at]!) await taken(api, foreign, one)
            all.push(await taken(api, key, step))
          }
          return all
        }
        expect(await answers(true)).toEqual(await answers(false))
      }),
      { numRuns: 25 },
    )
  })
})
