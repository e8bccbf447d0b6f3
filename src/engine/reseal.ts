/**
 * Encrypts the tenant's sealed data again under the current master key, so that the previous key
 * can be removed: its data key, secrets, the signing secrets of endpoints, inbound hooks,
 * schedules, and active runs, and authorizations at MCP servers.
 */

import { isOutboxEmpty } from '../core/outbox.ts'
import type { SealedSecret } from '../core/webhook/endpoint.ts'
import { assert } from '../lib/assert.ts'
import { ok } from '../lib/outcome.ts'
import { HEAD, type ListedRow, type World, type Write } from '../ports/world.ts'
import { readHook, writeHook } from './inbound/store.ts'
import { sealedSecret } from './logs/webhook-secret.ts'
import {
  authorizationsList,
  childrenList,
  deliveriesList,
  endpointPartition,
  endpointsList,
  fanoutsList,
  hooksList,
  parsePartition,
  runsList,
  schedulePartition,
  schedulesList,
  secretSubjectsList,
  WEBHOOK_SECRET,
} from './partition/keys.ts'
import { headOf, stored } from './partition/stored.ts'
import { update } from './partition/update.ts'
import { readSchedule, writeSchedule } from './schedule/store.ts'
import { type Asker, audit } from './tenant/audit.ts'
import { resealedDataKey } from './tenant/data-key.ts'
import { change, secretRowWrite } from './tenant/manage-secrets.ts'
import { readSecrets, type SecretsHead, type StoredSecret, sealContext } from './tenant/secrets.ts'
import { findTenant, writeTenant } from './tenants/manage.ts'
import { deliveryHeadOf, SECRET, secretWrite } from './webhook/delivery.ts'
import { readEndpoint, secretRow, writeEndpoint } from './webhook/endpoint/store.ts'

/** Sealed data that is not encrypted again, and what becomes of it. */
export const LEFT = [
  'Tokens and links: they need the previous key until they expire, after at most 7 days.',
  'Cursors, download links, and tool lists: they expire within an hour.',
  'Webhook secrets of runs and fan-outs that have ended: they sign nothing any more.',
] as const

export interface Resealed {
  /** Number of values that are encrypted under the current key now. */
  readonly resealed: number
  /** Values that neither key decrypts, by kind and name. */
  readonly lost: readonly string[]
}

const NONE: Resealed = { resealed: 0, lost: [] }
const PAGE = 100
/** Number of partitions that are processed concurrently. */
const CONCURRENT = 16
/** Number of secrets per commit, because stores limit the size of a commit. */
const PER_COMMIT = 10

/** Encrypts all sealed data of the tenant again; repeating it is safe. */
export async function reseal(asker: Asker): Promise<Resealed> {
  const { world, tenant, by } = asker
  const total = sumOf([
    // First, because nothing else of the tenant can be read without it.
    await resealDataKey(asker),
    await resealSecrets(asker, undefined),
    ...(await forEach(world, secretSubjectsList(tenant), (_, row) => resealSubject(asker, row))),
    ...(await forEach(world, endpointsList(tenant), (id) => resealEndpoint(asker, id))),
    ...(await forEach(world, hooksList(tenant), (id) => resealHook(asker, id))),
    ...(await forEach(world, schedulesList(tenant), (id) => resealSchedule(asker, id))),
    ...(await forEach(world, runsList(tenant), (_, row) => resealLog(asker, row))),
    ...(await forEach(world, fanoutsList(tenant), (_, row) => resealLog(asker, row))),
    ...(await forEach(world, deliveriesList(tenant), (_, row) => resealDelivery(asker, row))),
    ...(await forEach(world, authorizationsList(tenant), (_, row) => resealGrant(asker, row))),
  ])
  const detail = detailOf(total)
  await audit(world, tenant, { kind: 'secret', name: '*', action: 'reseal', by, number: 0, detail })
  return total
}

const detailOf = (total: Resealed): string =>
  `${total.resealed} values; not decrypted: ${total.lost.length}`

const sumOf = (results: readonly Resealed[]): Resealed => ({
  resealed: results.reduce((sum, { resealed }) => sum + resealed, 0),
  lost: results.flatMap((result) => result.lost),
})

/** Processes all rows of a list, page by page. */
async function forEach(
  { store }: World,
  under: string,
  act: (id: string, row: ListedRow) => Promise<Resealed>,
): Promise<Resealed[]> {
  const results: Resealed[] = []
  for (let last: string | undefined; ; ) {
    const page = await store.list(under, last, PAGE)
    for (let from = 0; from < page.length; from += CONCURRENT) {
      const rows = page.slice(from, from + CONCURRENT)
      const pending = rows.map((row) => act(parsePartition(row.partition).id, row))
      results.push(...(await Promise.all(pending)))
    }
    last = page.at(-1)?.at
    if (page.length < PAGE) return results
  }
}

/** Returns the text under the current key; a text that no key decrypts stays unchanged. */
async function sealedAgain({ secrets }: World, name: string, context: string, sealed: string) {
  const text = await secrets.open(sealed, context)
  if (text === undefined) return { sealed, result: { resealed: 0, lost: [name] } }
  return { sealed: await secrets.seal(text, context), result: { resealed: 1, lost: [] } }
}

const resealDataKey = ({ world, tenant }: Asker): Promise<Resealed> =>
  update(world, `the tenant ${tenant}`, async () => {
    const existing = await findTenant(world, tenant)
    const sealed = existing?.tenant.encryption?.sealed
    if (!existing || sealed == null) return NONE
    const encryption = await resealedDataKey(world, tenant, sealed)
    if (!encryption) return { resealed: 0, lost: ['data key'] }
    const { tenant: row, version } = existing
    const isWritten = await writeTenant(world, { ...row, encryption }, version)
    return isWritten ? { resealed: 1, lost: [] } : undefined
  })

const resealSubject = (asker: Asker, { body }: ListedRow): Promise<Resealed> =>
  resealSecrets(asker, stored<SecretsHead>('secrets', body, { changes: 'number' }).subject)

async function resealSecrets(asker: Asker, subject: string | undefined): Promise<Resealed> {
  const { world, tenant } = asker
  const names = [...(await readSecrets(world.store, tenant, subject)).secrets.keys()]
  const results: Resealed[] = []
  for (let from = 0; from < names.length; from += PER_COMMIT) {
    const some = names.slice(from, from + PER_COMMIT)
    const outcome = await change<Resealed>({ ...asker, subject }, async ({ secrets }) => {
      const current = some.flatMap((name) => secrets.get(name) ?? [])
      const all = await Promise.all(current.map((secret) => resealSecret(world, tenant, secret)))
      const result = sumOf(all.map((resealed) => resealed.result))
      return ok({
        result,
        rows: all.map(({ secret }) => secretRowWrite(secret)),
        entry: { name: some.join(' '), action: 'reseal', detail: detailOf(result) },
        isDone: () => false,
      })
    })
    assert(outcome.ok, 'resealing refuses nothing')
    results.push(outcome.value)
  }
  return sumOf(results)
}

async function resealSecret(world: World, tenant: string, secret: StoredSecret) {
  const context = sealContext(tenant, secret)
  const { name: bare, subject } = secret
  const name = `secret ${bare}${subject === undefined ? '' : ` of ${subject}`}`
  const { sealed, result } = await sealedAgain(world, name, context, secret.sealed)
  return { secret: { ...secret, sealed }, result }
}

async function allAgain(world: World, name: string, id: string, list: readonly SealedSecret[]) {
  const results = await Promise.all(
    list.map(async (secret) => ({
      secret,
      ...(await sealedAgain(world, name, id, secret.sealed)),
    })),
  )
  const secrets = results.map(({ secret, sealed }) => ({ ...secret, sealed }))
  return { secrets, result: sumOf(results.map(({ result }) => result)) }
}

const resealEndpoint = ({ world, tenant }: Asker, id: string): Promise<Resealed> =>
  update(world, `the endpoint ${id}`, async () => {
    const current = await readEndpoint(world, endpointPartition(tenant, id))
    if (!current || current.endpoint.deleted) return NONE
    const { secrets, result } = await allAgain(world, `endpoint ${id}`, id, current.secrets)
    const hasOutgoing = current.outbox.length > 0
    const rows = [secretRow(secrets)]
    const isWritten = await writeEndpoint(world, current, current.endpoint, rows, hasOutgoing)
    return isWritten ? result : undefined
  })

const resealHook = ({ world, tenant, by }: Asker, id: string): Promise<Resealed> =>
  update(world, `the hook ${id}`, async () => {
    const current = await readHook(world, id)
    if (!current || current.hook.tenant !== tenant || current.secrets.length === 0) return NONE
    const { secrets, result } = await allAgain(world, `hook ${id}`, id, current.secrets)
    const entry = { action: 'reseal', by } as const
    const change = { previous: current.hook, secrets }
    const isWritten = await writeHook(world, current.hook, current.version, entry, change)
    return isWritten ? result : undefined
  })

const resealSchedule = ({ world, tenant }: Asker, id: string): Promise<Resealed> =>
  update(world, `the schedule ${id}`, async () => {
    const current = await readSchedule(world, schedulePartition(tenant, id))
    if (!current || current.schedule.deleted || current.secret === undefined) return NONE
    const name = `schedule ${id}`
    const { sealed, result } = await sealedAgain(world, name, id, current.secret)
    const writes = { secret: sealed, hasEvents: current.events.length > 0 }
    return (await writeSchedule(world, current, current.schedule, writes)) ? result : undefined
  })

/** Processes an active run, or a fan-out with its runs, each of which has its own secret. */
async function resealLog(asker: Asker, { partition, body }: ListedRow): Promise<Resealed> {
  const { world, tenant } = asker
  const head = headOf<{ readonly ended_at?: string | null } | null>(body)
  const isDone = head.view?.ended_at != null && isOutboxEmpty(head.outbox) && !head.children
  if (isDone && head.late_results === undefined) return NONE
  const { kind, id } = parsePartition(partition)
  const sealed = await sealedSecret(world, partition)
  const row = { partition, context: id, name: `webhook of ${id}`, sealed }
  const result = await resealRow(world, row, (body) => ({
    ...{ op: 'put', key: WEBHOOK_SECRET, body, expect: 'any' },
  }))
  if (kind !== 'fanout') return result
  const runs = await forEach(world, childrenList(tenant, id), (_, run) => resealLog(asker, run))
  return sumOf([result, ...runs])
}

/** Processes a delivery of a run's webhook; a replay signs it again even after its success. */
async function resealDelivery({ world }: Asker, { partition, body }: ListedRow): Promise<Resealed> {
  const { delivery } = deliveryHeadOf(body)
  const { id, run_id, endpoint_id, created_at } = delivery
  if (endpoint_id != null || run_id === null) return NONE
  const rows = await world.store.read(partition, SECRET.slice(0, -1))
  const sealed = rows.find(({ key }) => key === SECRET)?.body
  const row = { partition, context: run_id, name: `webhook of ${id}`, sealed }
  return resealRow(world, row, (body) => secretWrite(body, created_at))
}

interface SealedRow {
  readonly partition: string
  readonly context: string
  readonly name: string
  readonly sealed: string | undefined
}

/** Replaces a row that is written once and read at the time of use; its head stays unchanged. */
async function resealRow(
  world: World,
  { partition, context, name, sealed }: SealedRow,
  writeOf: (sealed: string) => Write,
): Promise<Resealed> {
  if (sealed === undefined) return NONE
  const { store } = world
  const replacement = await sealedAgain(world, name, context, sealed)
  if (replacement.result.resealed === 0) return replacement.result
  await update(world, `the ${name}`, async () =>
    (await store.commit(partition, [writeOf(replacement.sealed)])) === 'ok' ? true : undefined,
  )
  // If the partition was deleted in the meantime, the row would be all that remains of it.
  if (!(await store.heads([partition]))[0]) await store.drop(partition)
  return replacement.result
}

const resealGrant = ({ world, tenant }: Asker, { partition }: ListedRow): Promise<Resealed> =>
  update(world, 'the authorization', async () => {
    const [row] = await world.store.heads([partition])
    if (row?.key !== HEAD) return NONE
    const has = { sealed: 'string' } as const
    const head = stored<{ readonly sealed: string }>('an authorization', row.body, has)
    const { id } = parsePartition(partition)
    const name = `authorization ${id}`
    const { sealed, result } = await sealedAgain(world, name, partition, head.sealed)
    if (result.resealed === 0) return result
    const outcome = await world.store.commit(partition, [], {
      expect: row.version,
      body: JSON.stringify({ ...head, sealed }),
      listed: { under: authorizationsList(tenant), at: id },
    })
    return outcome === 'ok' ? result : undefined
  })
