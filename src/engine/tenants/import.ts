/**
 * Imports an export into a suspended, empty tenant with the same ID, line by line. A repeated
 * import of the same export overwrites what an interrupted one has written.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { HEAD, type IndexedRow, type World } from '../../ports/world.ts'
import { parsePartition, ROWS_FOLDER, tenantPrefix } from '../partition/keys.ts'
import { forget } from '../partition/log.ts'
import { update } from '../partition/update.ts'
import { forgetKey } from '../tenant/api-keys.ts'
import type { Asker } from '../tenant/audit.ts'
import { forgetPolicy } from '../tenant/policy.ts'
import { tenantState } from '../tenant/state.ts'
import { forgetEndpoints } from '../webhook/endpoint/store.ts'
import { CREDENTIAL, partitionsOf } from './data.ts'
import { EXPORT_FORMAT, type ExportEnd, type ExportLine, type ExportStart } from './export.ts'
import { auditTenant, findTenant, missingTenant, writeTenant } from './manage.ts'

export interface Imported {
  readonly rows: number
  readonly objects: number
}

/** Parsed line of an export, or a sentence that says why a line cannot be read. */
export type ImportLine = Outcome<ExportLine, string>

const NO_IMPORT =
  'This store cannot import tenants, because it cannot write lists and alarms of rows.'
const NOT_SUSPENDED = 'Suspend the tenant before the import, so that no run begins half imported.'
const NOT_EMPTY = 'The tenant has data; an export can be imported only into a new tenant.'
/** Rows written at once; a DynamoDB transaction has at most 100 items. */
const MAX_ROWS = 100
/** A key with an empty segment, a segment of dots, or NUL, which names no object. */
const NO_KEY = /(?:^|\/)\.{0,2}(?:\/|$)|\0/
type ExportedObject = Extract<ExportLine, { readonly object: 'tenant_object' }>

/** Imports all lines; returns the refusal of the first line that is not valid. */
export async function importTenant(
  asker: Asker,
  id: string,
  lines: AsyncIterable<ImportLine>,
): Promise<Outcome<Imported, Refusal>> {
  const { world } = asker
  if (!world.store.writeIndexed) return fail(refusal('conflict', NO_IMPORT))
  const writer = new Writer(world, id)
  let start: ExportStart | undefined
  let end: ExportEnd | undefined
  for await (const line of lines) {
    if (!line.ok) return fail(invalid(writer, line.error))
    if (start === undefined) {
      if (line.value.object !== 'tenant_export') return fail(invalid(writer, 'no first line'))
      start = line.value
      const refused = await admitExport(world, id, start)
      if (refused) return fail(refused)
      continue
    }
    if (end !== undefined) return fail(invalid(writer, 'a line after the last line'))
    if (line.value.object === 'tenant_export_end') end = line.value
    else {
      const fault = await writer.write(line.value)
      if (fault !== undefined) return fail(invalid(writer, fault))
    }
  }
  const lastFault = await writer.flush()
  if (lastFault !== undefined) return fail(invalid(writer, lastFault))
  const { rows, objects } = writer
  if (end === undefined) return fail(invalid(writer, 'the export has no last line'))
  if (end.rows !== rows || end.objects !== objects)
    return fail(invalid(writer, 'the last line states other counts'))
  forgetEndpoints(world, id)
  forgetPolicy(world, id)
  const detail = `${rows} rows, ${objects} objects, exported at ${start?.exported_at}`
  await auditTenant(asker, id, 0, 'import', detail)
  return ok({ rows, objects })
}

const invalid = ({ rows, objects }: Writer, fault: string): Refusal =>
  refusal(
    'invalid_request',
    `The export is not valid after ${rows} rows and ${objects} objects: ${fault}. Repeat the ` +
      'import with the complete export.',
  )

/** Admits the import, and records which export the tenant receives. */
async function admitExport(
  world: World,
  id: string,
  { format, tenant, exported_at }: ExportStart,
): Promise<Refusal | undefined> {
  if (format !== EXPORT_FORMAT)
    return refusal('invalid_request', `The format ${format} is unknown; known: ${EXPORT_FORMAT}.`)
  if (tenant !== id) {
    const detail = `The export belongs to the tenant ${tenant}; import it under this ID.`
    return refusal('invalid_request', detail)
  }
  return update<Refusal | 'admitted'>(world, `the tenant ${id}`, async () => {
    const existing = await findTenant(world, id)
    if (!existing) return missingTenant()
    const { tenant: current, version } = existing
    if (current.status !== 'suspended') return refusal('conflict', NOT_SUSPENDED)
    if (current.imports === exported_at) return 'admitted'
    if (current.imports !== undefined || !(await isEmpty(world, id)))
      return refusal('conflict', NOT_EMPTY)
    const isWritten = await writeTenant(world, { ...current, imports: exported_at }, version)
    return isWritten ? 'admitted' : undefined
  }).then((result) => (result === 'admitted' ? undefined : result))
}

/** A new tenant has its first key and nothing else. */
async function isEmpty(world: World, id: string): Promise<boolean> {
  for await (const partition of partitionsOf(world, id))
    if (partition.startsWith(tenantPrefix(id))) return false
  return (await world.objects.list(tenantPrefix(id))).objects.length === 0
}

/** Writes rows in batches of one partition, and objects. */
class Writer {
  rows = 0
  objects = 0
  readonly #world: World
  readonly #tenant: string
  #partition = ''
  #batch: IndexedRow[] = []

  constructor(world: World, tenant: string) {
    this.#world = world
    this.#tenant = tenant
  }

  /** Writes a line; returns a sentence if it belongs to another tenant. */
  async write(line: Exclude<ExportLine, ExportEnd>): Promise<string | undefined> {
    if (line.object === 'tenant_export') return 'a second first line'
    if (line.object === 'tenant_object') return this.#writeObject(line)
    const { object: _, partition, ...row } = line
    if (!this.#mayWrite(partition, row)) return `the row ${partition} belongs to another tenant`
    const isFull = this.#batch.length >= MAX_ROWS && !CREDENTIAL.test(partition)
    const fault = partition !== this.#partition || isFull ? await this.flush() : undefined
    this.#partition = partition
    this.#batch.push(row)
    this.rows += 1
    return fault
  }

  async #writeObject({ key, size, body }: ExportedObject): Promise<string | undefined> {
    const prefixes = [tenantPrefix(this.#tenant), `${ROWS_FOLDER}${tenantPrefix(this.#tenant)}`]
    if (!prefixes.some(startOf(key)) || NO_KEY.test(key))
      return `the object ${key} belongs to no tenant or another one`
    const bytes = Buffer.from(body, 'base64')
    if (bytes.byteLength !== size) return `the object ${key} has ${bytes.byteLength} bytes`
    // The rows of the export contain the bodies that a store kept in the bucket; below its folder
    // nothing is encrypted.
    const { encryption } = await tenantState(this.#world, this.#tenant)
    if (!(encryption && key.startsWith(ROWS_FOLDER)))
      await this.#world.objects.put(key, bytes, 'any')
    this.objects += 1
    return undefined
  }

  #mayWrite(partition: string, { listed: listing }: IndexedRow): boolean {
    if (!/^[^/]+\/[^/]+\/[^/]+$/.test(partition)) return false
    if (listing && !listing.under.startsWith(tenantPrefix(this.#tenant))) return false
    return partition.startsWith(tenantPrefix(this.#tenant)) || CREDENTIAL.test(partition)
  }

  /** Writes the rows of the current partition; returns a sentence if they are not the tenant's. */
  async flush(): Promise<string | undefined> {
    const { store } = this.#world
    const [partition, batch] = [this.#partition, this.#batch]
    this.#batch = []
    if (batch.length === 0) return undefined
    // A store would keep either of them, or refuse the write.
    if (new Set(batch.map(({ key }) => key)).size < batch.length)
      return `a row of ${partition} is repeated`
    if (CREDENTIAL.test(partition)) {
      // A credential is stored outside the tenant's name, so its head tells to which it belongs.
      const [existing] = await store.heads([partition])
      const heads = [batch.find(({ key }) => key === HEAD), existing ?? undefined]
      const owners = heads.flatMap((head) => (head ? tenantsIn(head.body) : []))
      if (owners.length === 0 || owners.some((owner) => owner !== this.#tenant))
        return `the row ${partition} belongs to another tenant`
    }
    for (let at = 0; at < batch.length; at += MAX_ROWS)
      await store.writeIndexed?.(partition, batch.slice(at, at + MAX_ROWS))
    forget(store, partition)
    const { kind, id } = parsePartition(partition)
    if (kind === 'key') forgetKey(this.#world, id)
    return undefined
  }
}

const startOf =
  (key: string) =>
  (prefix: string): boolean =>
    key.startsWith(prefix)

interface Owned {
  readonly tenant?: unknown
}

/** Returns the tenants that a credential's head names; undefined for a head that names none. */
function tenantsIn(body: string): unknown[] {
  try {
    const head = JSON.parse(body) as (Owned & { readonly hook?: Owned }) | null
    const tenants = [head?.tenant, head?.hook?.tenant].filter((tenant) => tenant !== undefined)
    return tenants.length === 0 ? [undefined] : tenants
  } catch {
    return [undefined]
  }
}
