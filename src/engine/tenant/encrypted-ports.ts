/**
 * Encrypts the bodies of rows and objects of tenants that have a data key, between the engine and
 * the store and bucket. Names, versions, alarms, and positions and tags of lists stay readable,
 * because stores order and search by them. A body opens only at its place.
 */

import { type Cipher, isEncrypted, OVERHEAD_BYTES } from '../../lib/cipher.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import { HEAD, type IndexedRow, type Objects, type Store } from '../../ports/world.ts'
import { chainTip, DEFAULT_TENANT, ROWS_FOLDER } from '../partition/keys.ts'
import { type TenantCipher, TenantLocked } from './data-key.ts'

type Pending = TenantCipher | Promise<TenantCipher>
/** Returns the cipher of a tenant; without a promise if it is known. */
export type CipherOf = (tenant: string) => Pending

type Rows = Pick<Store, 'read' | 'heads' | 'commit' | 'list' | 'find'> &
  Pick<Partial<Store>, 'readIndexed' | 'writeIndexed'>

/** First parts of names that belong to no tenant, or to the tenant without encryption. */
const PLAIN: ReadonlySet<string> = new Set(['_', ROWS_FOLDER.slice(0, -1), DEFAULT_TENANT])
const DEFAULT_PREFIX = `${DEFAULT_TENANT}/`

/** Returns the tenant in the name of a partition, list, or object; undefined for plain data. */
function tenantOf(name: string): string | undefined {
  // The most frequent tenant is recognized without a substring.
  if (name.startsWith(DEFAULT_PREFIX)) return undefined
  const end = name.indexOf('/')
  const tenant = end < 0 ? name : name.slice(0, end)
  return tenant === '' || PLAIN.has(tenant) ? undefined : tenant
}

const ciphersBy =
  (cipherOf: CipherOf): CipherOf =>
  (name) => {
    const tenant = tenantOf(name)
    // A deletion reads the position of the audit chain after the key is destroyed.
    return tenant === undefined || name === chainTip(tenant) ? undefined : cipherOf(tenant)
  }

interface Body {
  readonly key: string
  readonly body: string
}

const placeOf = (partition: string, key: string): string => `${partition}\0${key}`

/** Decrypts a row; rows of a tenant whose key is destroyed have no text. */
function openRow<R extends Body>(cipher: Cipher | 'destroyed', partition: string, row: R): R {
  if (cipher === 'destroyed') return { ...row, body: '' }
  const body = cipher.openText(placeOf(partition, row.key), row.body)
  if (body === undefined) throw damaged(`the row ${row.key} of ${partition}`)
  return { ...row, body }
}

const openRows = <R extends Body>(cipher: TenantCipher, partition: string, rows: R[]): R[] =>
  cipher ? rows.map((row) => openRow(cipher, partition, row)) : rows

/** Decrypts rows of a list, which may also name rows outside the tenant, such as its keys. */
const openListed = <R extends Body & { readonly partition: string }>(
  cipherFor: CipherOf,
  rows: readonly R[],
): Promise<R[]> =>
  Promise.all(
    rows.map(async (row) => {
      const cipher = await cipherFor(row.partition)
      return cipher ? openRow(cipher, row.partition, row) : row
    }),
  )

const sealRow = <R extends Body>(cipher: Cipher, partition: string, row: R): R => ({
  ...row,
  body: cipher.sealText(placeOf(partition, row.key), row.body),
})

const damaged = (name: string): Error =>
  new Error(`${name} cannot be decrypted: it was changed, moved, or written without encryption`)

/** Returns the cipher for a write; a deleted tenant accepts none. */
function writable(cipher: Cipher | 'destroyed', name: string): Cipher {
  if (cipher !== 'destroyed') return cipher
  const detail = 'The tenant is being deleted.'
  throw new Unavailable(`${name} belongs to a deleted tenant`, { detail })
}

/**
 * Calls the store, and applies `open` to the result if there is a cipher. The call does not wait
 * for a cipher that must be read.
 */
function opening<T>(
  pending: Pending,
  call: Promise<T>,
  open: (cipher: Used, result: T) => T | Promise<T>,
): Promise<T> {
  if (pending === undefined) return call
  return Promise.all([pending, call]).then(([cipher, result]) =>
    cipher === undefined ? result : open(cipher, result),
  )
}
type Used = Exclude<TenantCipher, undefined>

/** Calls `plain`, or `sealed` with the cipher of the named tenant. */
function sealing<T>(
  pending: Pending,
  name: string,
  plain: () => Promise<T>,
  sealed: (cipher: Cipher) => Promise<T>,
): Promise<T> {
  if (pending === undefined) return plain()
  const begin = async (): Promise<T> => {
    const cipher = await pending
    return cipher === undefined ? plain() : sealed(writable(cipher, name))
  }
  return begin()
}

/** Returns the store with encrypted bodies for tenants that have a cipher. */
export function encryptedStore<S extends Rows>(store: S, cipherOf: CipherOf): S {
  const cipherFor = ciphersBy(cipherOf)
  return { ...store, ...readsOf(store, cipherFor), ...writesOf(store, cipherFor) }
}

function readsOf(store: Rows, cipherFor: CipherOf): Partial<Rows> {
  const { readIndexed } = store
  return {
    read: (partition, after) =>
      opening(cipherFor(partition), store.read(partition, after), (cipher, rows) =>
        openRows(cipher, partition, rows),
      ),
    heads(partitions) {
      const pending = partitions.map(cipherFor)
      const call = store.heads(partitions)
      if (pending.every((cipher) => cipher === undefined)) return call
      return Promise.all([Promise.all(pending), call]).then(([ciphers, rows]) =>
        rows.map((row, index) => {
          const cipher = ciphers[index]
          return row && cipher ? openRow(cipher, partitions[index]!, row) : row
        }),
      )
    },
    list: (under, beforeKey, limit) =>
      opening(cipherFor(under), store.list(under, beforeKey, limit), (_, rows) =>
        openListed(cipherFor, rows),
      ),
    find: (under, search) =>
      opening(cipherFor(under), store.find(under, search), async (_, results) => ({
        ...results,
        rows: await openListed(cipherFor, results.rows),
      })),
    ...(readIndexed && {
      readIndexed: (partition: string) =>
        opening(cipherFor(partition), readIndexed(partition), (cipher, rows) =>
          openRows(cipher, partition, [...rows]),
        ),
    }),
  }
}

function writesOf(store: Rows, cipherFor: CipherOf): Partial<Rows> {
  const { writeIndexed } = store
  return {
    commit: (partition, writes, head) =>
      sealing(
        cipherFor(partition),
        partition,
        () => store.commit(partition, writes, head),
        (cipher) =>
          store.commit(
            partition,
            writes.map((write) => (write.op === 'put' ? sealRow(cipher, partition, write) : write)),
            head && { ...head, body: cipher.sealText(placeOf(partition, HEAD), head.body) },
          ),
      ),
    ...(writeIndexed && {
      writeIndexed: (partition: string, rows: readonly IndexedRow[]) =>
        sealing(
          cipherFor(partition),
          partition,
          () => writeIndexed(partition, rows),
          (cipher) =>
            writeIndexed(
              partition,
              rows.map((row) => sealRow(cipher, partition, row)),
            ),
        ),
    }),
  }
}

/** Lists need no key, only whether there is one. */
const evenLocked = (pending: Pending): Pending =>
  pending instanceof Promise
    ? pending.catch((error: unknown) => {
        if (error instanceof TenantLocked) return 'destroyed'
        throw error
      })
    : pending

/**
 * Returns the bucket with encrypted bodies for tenants that have a cipher. An object that was put
 * into the bucket by other means is read as it is; its size in lists is too small by the overhead.
 */
export function encryptedObjects(objects: Objects, cipherOf: CipherOf): Objects {
  const cipherFor = ciphersBy(cipherOf)
  return {
    get: (key) =>
      opening(cipherFor(key), objects.get(key), (used, stored) => {
        if (!stored || !isEncrypted(stored.body)) return stored
        const body = writable(used, key).open(key, stored.body)
        if (body === undefined) throw damaged(`the object ${key}`)
        return { ...stored, body }
      }),
    put: (key, body, expect) =>
      sealing(
        cipherFor(key),
        key,
        () => objects.put(key, body, expect),
        (cipher) => objects.put(key, cipher.seal(key, body), expect),
      ),
    delete: objects.delete,
    list: (prefix, cursor) =>
      opening(evenLocked(cipherFor(prefix)), objects.list(prefix, cursor), (_, page) => ({
        ...page,
        objects: page.objects.map((object) => ({
          ...object,
          size: Math.max(0, object.size - OVERHEAD_BYTES),
        })),
      })),
  }
}
