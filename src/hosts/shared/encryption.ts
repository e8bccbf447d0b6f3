/**
 * Rows and objects of encrypted tenants, sealed below the engine: the same ports, whose bodies are
 * AES-256-GCM under the tenant's data key, bound to their partition and row, or to their object.
 * Names, places in lists, tags and alarms stay as they are, because stores find by them. Where no
 * tenant is encrypted this costs the comparison of a name; a tenant's key is read once a minute.
 */

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { DEFAULT_TENANT, tenantPartition } from '../../engine/partition/keys.ts'
import { processMemory } from '../../engine/partition/process.ts'
import { DATA_KEY_BYTES, dataKeyFor } from '../../engine/tenant/data-key.ts'
import { storedTenantOf } from '../../engine/tenant/state.ts'
import { bounded } from '../../lib/bounded.ts'
import {
  type Clock,
  DataKeyMissing,
  type HeadWrite,
  type Objects,
  type Row,
  type Secrets,
  type Store,
  type Write,
} from '../../ports/world.ts'
import { open, SEAL_BYTES, seal } from './sealed-bytes.ts'

type Rows = Pick<Store, 'read' | 'heads' | 'commit' | 'list' | 'find'>

export interface Encryption {
  /** The same store, in which rows of encrypted tenants lie sealed. */
  rows<S extends Rows>(store: S): S
  objects(objects: Objects): Objects
}

export interface EncryptionParts {
  /** Tenants and their sealed keys lie there. */
  readonly store: Store
  readonly secrets: Pick<Secrets, 'open'>
  readonly clock: Pick<Clock, 'now'>
}

/** No JSON begins so, and a row that no encryption has written is JSON. */
const MARK = '~1.'
/** The same of objects, which may hold anything: only those of encrypted tenants are judged. */
const MAGIC = Buffer.from('\u0000strata~1')
const OVERHEAD = MAGIC.length + SEAL_BYTES

/** The tenant is not encrypted, or its key is destroyed. */
type NoKey = 'none' | 'gone'
interface DataKey {
  readonly secret: Buffer
  /** Keys of partitions that were met lately. */
  readonly places: Map<string, KeyObject>
}
interface Known {
  readonly key: DataKey | NoKey
  readonly until: number
}
/** Longer than the engine believes what it has read of a tenant: its reads are seen here. */
const CACHE_MS = 60_000
const MAX_TENANTS = 10_000
const MAX_PLACES = 1_000
const keysOf = processMemory('dataKeys', () => bounded<Known>(MAX_TENANTS))

const TENANTS = tenantPartition('')

export function tenantEncryption(parts: EncryptionParts): Encryption {
  const keys = dataKeys(parts)
  return {
    rows: (store) => ({ ...store, ...sealedRows(store, keys) }),
    objects: (objects) => sealedObjects(objects, keys),
  }
}

// ── Keys ───────────────────────────────────────────────────────────────────────────────────────

interface DataKeys {
  of(tenant: string): DataKey | NoKey | Promise<DataKey | NoKey>
  /** The engine has read this of a tenant: nobody need read it again. */
  seen(tenant: string, row: Row): Promise<unknown>
  forget(tenant: string): void
}

function dataKeys({ store, secrets, clock }: EncryptionParts): DataKeys {
  const known = () => keysOf(store)
  const keep = (tenant: string, key: Known['key']): Known['key'] => {
    known().set(tenant, { key, until: clock.now() + CACHE_MS })
    return key
  }
  const keyIn = async (tenant: string, { body }: Row): Promise<Known['key']> => {
    const { encrypted = false, sealed_key } = storedTenantOf(body)
    if (!encrypted) return keep(tenant, 'none')
    if (sealed_key === undefined) return keep(tenant, 'gone')
    const text = await secrets.open(sealed_key, dataKeyFor(tenant))
    const secret = Buffer.from(text ?? '', 'base64url')
    if (secret.length === DATA_KEY_BYTES) return keep(tenant, { secret, places: new Map() })
    throw new DataKeyMissing(
      `the data key of the tenant ${tenant} does not open: STRATA_MASTER_KEY has not sealed it`,
    )
  }
  const read = async (tenant: string): Promise<Known['key']> => {
    const [row] = await store.heads([tenantPartition(tenant)])
    // A tenant that was there before tenants were listed has no row.
    return row ? keyIn(tenant, row) : keep(tenant, 'none')
  }
  return {
    of(tenant) {
      const found = known().get(tenant)
      return found && found.until > clock.now() ? found.key : read(tenant)
    },
    // What does not open is said to who needs it.
    seen: (tenant, row) => keyIn(tenant, row).catch(() => undefined),
    forget: (tenant) => void known().delete(tenant),
  }
}

/** The deployment's own tenant and rows beside tenants are not encrypted, nor are folders of stores. */
const PLAIN: ReadonlySet<string> = new Set([DEFAULT_TENANT, '_', 'rows', 'expiring', ''])
const tenantIn = (name: string): string | undefined => {
  const tenant = name.slice(0, Math.max(0, name.indexOf('/')))
  return PLAIN.has(tenant) ? undefined : tenant
}

/** Each partition, and each object, has a key of its own: a nonce is never met twice. */
function keyOfPlace({ secret, places }: DataKey, place: string): KeyObject {
  const known = places.get(place)
  if (known) return known
  const made = createSecretKey(createHmac('sha256', secret).update(place).digest())
  if (places.size >= MAX_PLACES) places.clear()
  places.set(place, made)
  return made
}

function missing(tenant: string, what: string): never {
  throw new DataKeyMissing(
    `${what} is encrypted under the data key of the tenant ${tenant}, which is destroyed or missing`,
  )
}

// ── Rows ───────────────────────────────────────────────────────────────────────────────────────

interface RowName {
  readonly partition: string
  readonly key: string
}

function sealedRows(store: Rows, keys: DataKeys): Rows {
  const openAll = async <R extends { readonly body: string }>(
    rows: readonly R[],
    placeOf: (row: R, at: number) => RowName,
  ): Promise<R[]> => {
    const opened: R[] = []
    for (const [at, row] of rows.entries()) {
      const place = row.body.startsWith(MARK) ? placeOf(row, at) : undefined
      const tenant = place && tenantIn(place.partition)
      if (!place || tenant === undefined) opened.push(row)
      else opened.push({ ...row, body: openRow(await keys.of(tenant), tenant, place, row.body) })
    }
    return opened
  }
  const isSealed = ({ body }: { readonly body: string }): boolean => body.startsWith(MARK)
  const commit = async (
    tenant: string,
    ...[partition, writes, head]: Parameters<Store['commit']>
  ): Promise<Awaited<ReturnType<Store['commit']>>> => {
    const key = await keys.of(tenant)
    if (key === 'none') return store.commit(partition, writes, head)
    if (key === 'gone') return missing(tenant, `a commit to ${partition}`)
    const of = keyOfPlace(key, partition)
    const sealed = writes.map(
      (write): Write =>
        write.op === 'put'
          ? { ...write, body: sealRow(of, partition, write.key, write.body) }
          : write,
    )
    const on = head && sealedHead(of, partition, head)
    return store.commit(partition, sealed, on)
  }
  return {
    async read(partition, after) {
      const rows = await store.read(partition, after)
      if (!rows.some(isSealed)) return rows
      return openAll(rows, ({ key }) => ({ partition, key }))
    },
    async heads(partitions) {
      const rows = await store.heads(partitions)
      for (const [at, row] of rows.entries()) {
        const partition = partitions[at]!
        if (row && partition.startsWith(TENANTS))
          await keys.seen(partition.slice(TENANTS.length), row)
      }
      if (!rows.some((row) => row && isSealed(row))) return rows
      return Promise.all(
        rows.map(async (row, at) =>
          row
            ? (await openAll([row], ({ key }) => ({ partition: partitions[at]!, key })))[0]!
            : null,
        ),
      )
    },
    commit(partition, writes, head) {
      const tenant = tenantIn(partition)
      if (tenant !== undefined) return commit(tenant, partition, writes, head)
      if (partition.startsWith(TENANTS)) keys.forget(partition.slice(TENANTS.length))
      return store.commit(partition, writes, head)
    },
    async list(under, before, limit) {
      const rows = await store.list(under, before, limit)
      return rows.some(isSealed) ? openAll(rows, (row) => row) : rows
    },
    async find(under, wanted) {
      const found = await store.find(under, wanted)
      if (!found.rows.some(isSealed)) return found
      return { ...found, rows: await openAll(found.rows, (row) => row) }
    },
  }
}

const boundTo = (partition: string, key: string): Buffer => Buffer.from(`${partition}\n${key}`)

const sealRow = (of: KeyObject, partition: string, key: string, body: string): string =>
  MARK + seal(of, boundTo(partition, key), Buffer.from(body)).toString('base64')

const sealedHead = (of: KeyObject, partition: string, head: HeadWrite): HeadWrite => ({
  ...head,
  body: sealRow(of, partition, 'head', head.body),
})

function openRow(
  key: DataKey | NoKey,
  tenant: string,
  { partition, key: name }: RowName,
  body: string,
): string {
  const what = `the row ${name} of ${partition}`
  if (typeof key === 'string') return missing(tenant, what)
  const of = keyOfPlace(key, partition)
  const bytes = Buffer.from(body.slice(MARK.length), 'base64')
  return open(of, boundTo(partition, name), bytes, what).toString()
}

// ── Objects ────────────────────────────────────────────────────────────────────────────────────

function sealedObjects(objects: Objects, keys: DataKeys): Objects {
  return {
    ...objects,
    async get(name) {
      const object = await objects.get(name)
      const tenant = object && tenantIn(name)
      if (!object || tenant == null) return object
      const key = await keys.of(tenant)
      const { body, etag } = object
      if (key === 'none' || !startsWithMagic(body)) return object
      if (key === 'gone') return missing(tenant, `the object ${name}`)
      const sealed = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      const of = keyOfPlace(key, name)
      const text = open(of, Buffer.from(name), sealed.subarray(MAGIC.length), `the object ${name}`)
      return { etag, body: new Uint8Array(text) }
    },
    async put(name, body, expect) {
      const tenant = tenantIn(name)
      const key = tenant === undefined ? 'none' : await keys.of(tenant)
      if (key === 'none') return objects.put(name, body, expect)
      if (key === 'gone') return missing(tenant!, `the object ${name}`)
      const sealed = seal(keyOfPlace(key, name), Buffer.from(name), body)
      return objects.put(name, new Uint8Array(Buffer.concat([MAGIC, sealed])), expect)
    },
    async list(prefix, cursor) {
      const page = await objects.list(prefix, cursor)
      // Sizes are what people see: as they were before. Who walks the whole bucket asks for none.
      const tenant = tenantIn(prefix)
      if (tenant === undefined || page.objects.length === 0) return page
      if (typeof (await keys.of(tenant)) === 'string') return page
      const shown = page.objects.map((one) => ({ ...one, size: Math.max(0, one.size - OVERHEAD) }))
      return { ...page, objects: shown }
    },
  }
}

const startsWithMagic = (body: Uint8Array): boolean =>
  body.length >= OVERHEAD && MAGIC.every((byte, at) => body[at] === byte)
