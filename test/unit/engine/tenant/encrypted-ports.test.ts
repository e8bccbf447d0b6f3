/** Encrypted ports keep the promises of the ports, with and without waiting for the key. */

import { expect, it } from 'vitest'
import { encryptedObjects, encryptedStore } from '../../../../src/engine/tenant/encrypted-ports.ts'
import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { decode, encode } from '../../../../src/lib/bytes.ts'
import { cipherOf } from '../../../../src/lib/cipher.ts'
import { objectsContract } from '../../../contract/objects.ts'
import { put } from '../../../contract/store/kit.ts'
import { storeContract } from '../../../contract/store.ts'

const cipher = cipherOf(new Uint8Array(32).fill(7))

storeContract('encrypted', () => encryptedStore(memoryStore(), () => cipher))
storeContract('encrypted, key to be read', () => encryptedStore(memoryStore(), async () => cipher))
storeContract('not encrypted, to be read', () =>
  encryptedStore(memoryStore(), async () => undefined),
)
objectsContract('encrypted', () => encryptedObjects(memoryObjects(), () => cipher))
objectsContract('encrypted, key to be read', () =>
  encryptedObjects(memoryObjects(), async () => cipher),
)

it('a row that was moved, changed, or written in plain text is refused', async () => {
  const raw = memoryStore()
  const store = encryptedStore(raw, () => cipher)
  await store.commit('acme/run/a', [put('f/1', '{"a":1}')], { expect: null, body: '{}' })
  const [fact, head] = await raw.read('acme/run/a')
  expect([fact!.body, head!.body].join()).not.toMatch(/[{}]/)
  await raw.commit('acme/run/b', [put('f/1', fact!.body)])
  await expect(store.read('acme/run/b')).rejects.toThrow(/f\/1 of acme\/run\/b cannot be decrypted/)
  await raw.commit('acme/run/c', [], { expect: null, body: '{}' })
  await expect(store.heads(['acme/run/a', 'acme/run/c'])).rejects.toThrow(/cannot be decrypted/)
  expect(await store.read('acme/run/a')).toHaveLength(2)
})

it('rows of the deployment and of the default tenant are stored as they are', async () => {
  const raw = memoryStore()
  const never = () => {
    throw new Error('asked')
  }
  const store = encryptedStore(raw, never)
  for (const partition of ['_/key/a', '_/tenant/acme', 'default/run/a', 'acme/chain/tip']) {
    await store.commit(partition, [], { expect: null, body: '{"a":1}' })
    expect((await raw.heads([partition]))[0]!.body).toBe('{"a":1}')
    expect((await store.read(partition))[0]!.body).toBe('{"a":1}')
  }
  const objects = encryptedObjects(memoryObjects(), never)
  await objects.put('rows/acme/run/a/digest', encode('x'), 'any')
  expect(decode((await objects.get('rows/acme/run/a/digest'))!.body)).toBe('x')
})

it('a file that was put into the bucket by other means is read as it is', async () => {
  const raw = memoryObjects()
  const objects = encryptedObjects(raw, () => cipher)
  await raw.put('acme/files/a.md', encode('plain'), 'any')
  expect(decode((await objects.get('acme/files/a.md'))!.body)).toBe('plain')
  await objects.put('acme/files/b.md', encode('secret'), 'any')
  const sealed = await raw.get('acme/files/b.md')
  await raw.put('acme/files/c.md', sealed!.body, 'any')
  await expect(objects.get('acme/files/c.md')).rejects.toThrow(/cannot be decrypted/)
})

it('after the destruction of the key, names remain, and nothing is read or written', async () => {
  const raw = memoryStore()
  let key: typeof cipher | 'destroyed' = cipher
  const store = encryptedStore(raw, () => key)
  const listed = { under: 'acme/runs', at: '1' }
  await store.commit('acme/run/a', [], { expect: null, body: '{"a":1}', listed })
  key = 'destroyed'
  expect(await store.list('acme/runs')).toEqual([
    { partition: 'acme/run/a', key: 'head', at: '1', body: '' },
  ])
  expect(await store.read('acme/run/a')).toMatchObject([{ body: '' }])
  await expect(store.commit('acme/run/a', [put('f/1', 'x')])).rejects.toThrow(/deleted tenant/)
  const files = memoryObjects()
  await files.put('acme/files/a', cipher.seal('acme/files/a', encode('x')), 'any')
  const objects = encryptedObjects(files, () => key)
  await expect(objects.get('acme/files/a')).rejects.toThrow(/deleted tenant/)
  expect((await objects.list('acme/')).objects).toHaveLength(1)
})
