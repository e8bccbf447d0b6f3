/** The store on D1, in workerd: its port's promises, and the guard of PROTOCOL.md rule 8. */

import { expect, it } from 'vitest'
import type { D1 } from '../../../../src/hosts/cloudflare/bindings/bindings.ts'
import { d1Store } from '../../../../src/hosts/cloudflare/ports/d1.ts'
import { fresh, keys, put } from '../../../contract/store/kit.ts'
import { storeContract } from '../../../contract/store.ts'
import { strayLetters } from '../../../contract/strays.ts'
import { env, migrate } from './env.ts'

await migrate()

storeContract('D1', () => d1Store(env.DB))
strayLetters('D1', () => d1Store(env.DB))

it('the guard refuses stale and missing heads, and leaves no row in any table', async () => {
  const store = d1Store(env.DB)
  const p = fresh()
  expect(await store.commit(p, [put('k')], { expect: 1, body: 'none is there' })).toBe('conflict')
  await store.commit(p, [], { expect: null, body: 'one' })
  await store.commit(p, [], { expect: 1, body: 'two' })
  for (const expected of [null, 1, 3])
    expect(await store.commit(p, [put('k')], { expect: expected, body: 'no' })).toBe('conflict')
  expect((await store.read(p)).map(({ body, version }) => [body, version])).toEqual([['two', 2]])
  const { results } = await env.DB.prepare('SELECT count(*) AS n FROM guard').all()
  expect(results[0]?.n).toBe(0)
})

it('a commit whose connection is lost is ambiguous, and other errors are thrown', async () => {
  const broken = (message: string): D1 => ({
    prepare: (sql) => env.DB.prepare(sql),
    batch: () => Promise.reject(new Error(message)),
  })
  const p = fresh()
  const commit = (message: string) => d1Store(broken(message)).commit(p, [put('k')])
  expect(await commit('D1_ERROR: Network connection lost.')).toBe('ambiguous')
  expect(await commit('D1 DB is overloaded. Requests queued for too long.')).toBe('ambiguous')
  await expect(commit('D1_ERROR: no such table: entry: SQLITE_ERROR')).rejects.toThrow()
  expect(keys(await d1Store(env.DB).read(p))).toEqual([])
})

it('expired rows are swept', async () => {
  const store = d1Store(env.DB)
  const p = fresh()
  await store.commit(p, [
    put('old', '', { expiresAt: 1_000 }),
    put('new', '', { expiresAt: 3_000 }),
  ])
  await store.sweep(2_000, 1)
  expect(keys(await store.read(p))).toEqual(['new'])
})
