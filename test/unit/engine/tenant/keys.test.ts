/** API keys: what is refused without a look at the store, and what the store never sees. */

import { describe, expect, it } from 'vitest'
import { createKey, verifyKey } from '../../../../src/engine/tenant/api-keys.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { sha256 } from '../../../../src/lib/digest.ts'
import { base32 } from '../../../../src/lib/id.ts'
import { testWorld } from '../../../support/drive.ts'

function subscribed(): { world: MemoryWorld; reads: () => number; written: () => string } {
  const { store } = testWorld()
  let reads = 0
  let written = ''
  const world = testWorld({
    store: {
      ...store,
      heads(partitions) {
        reads += 1
        return store.heads(partitions)
      },
      commit(partition, writes, head) {
        written += JSON.stringify([partition, writes, head])
        return store.commit(partition, writes, head)
      },
    },
  })
  return { world, reads: () => reads, written: () => written }
}

describe('an API key', () => {
  it('names its tenant and its scopes', async () => {
    const { world } = subscribed()
    const { id, key } = await createKey(world, 'acme', ['runs:read'])
    const who = { tenant: 'acme', key_id: id, scopes: ['runs:read'] }
    expect(await verifyKey(world, key)).toEqual(who)
  })
  it('is refused without a read when its checksum or format is wrong [H02]', async () => {
    const { world, reads } = subscribed()
    const { key } = await createKey(world, 'acme', ['*'])
    const last = key.endsWith('0') ? '1' : '0'
    const wrong = [`${key.slice(0, -1)}${last}`, key.slice(0, -1), key.toUpperCase(), '', 'strata_']
    for (const text of wrong) expect(await verifyKey(world, text)).toBeUndefined()
    expect(reads()).toBe(0)
  })
  it('is refused by its hash when a valid checksum covers a wrong secret [H03]', async () => {
    const { world, reads } = subscribed()
    const { id, key } = await createKey(world, 'acme', ['*'])
    const [, , secret = ''] = key.split('_')
    const other = secret.replaceAll(/[0-9]/g, 'a')
    const checksum = base32(Buffer.from(sha256(`${id}_${other}`), 'hex'), 6)
    expect(await verifyKey(world, `strata_${id}_${other}_${checksum}`)).toBeUndefined()
    expect(reads()).toBe(1)
    expect(await verifyKey(world, key)).toBeDefined()
  })
  it('is stored only as a hash [H06]', async () => {
    const { world, written } = subscribed()
    const { id, key } = await createKey(world, 'acme', ['*'])
    const [, , secret = '-', checksum = '-'] = key.split('_')
    expect(written()).toContain(id)
    expect(written()).not.toContain(secret)
    expect(written()).not.toContain(checksum)
  })
})
