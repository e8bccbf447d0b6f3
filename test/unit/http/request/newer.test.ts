/** During a release the older process still answers: not about what a newer one has written. */

import { expect, it } from 'vitest'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { HEAD } from '../../../../src/ports/world.ts'
import { testApi } from '../../../support/http.ts'

it('a run of a newer format gets a 503 with Retry-After (PROTOCOL.md rule 36)', async () => {
  const store = memoryStore()
  const api = await testApi({ store, settings: { singleProcess: false } })
  const { body } = await api.call('POST', '/v1/runs', { json: { input: '@say hello' } })
  await api.settle()
  const partition = runPartition('test', body.id)
  const head = (await store.read(partition)).find(({ key }) => key === HEAD)!
  const newer = JSON.stringify({ ...JSON.parse(head.body), format: 99 })
  expect(await store.commit(partition, [], { expect: head.version, body: newer })).toBe('ok')
  const shown = await api.call('GET', `/v1/runs/${body.id}`)
  expect([shown.status, shown.body.code]).toEqual([503, 'unavailable'])
  expect(shown.headers.get('retry-after')).toBe('10')
})
