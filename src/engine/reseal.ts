/**
 * All that a tenant has sealed and still needs, sealed anew under the master key of today, so that
 * the key before it may go: its secrets, those of endpoints, inbound hooks, schedules and webhooks
 * of live runs, its authorizations at servers, its data key; for the operator the data keys of all.
 */

import { isOutboxEmpty } from '../core/outbox.ts'
import type { SealedSecret } from '../core/webhook/endpoint.ts'
import { HEAD, type Listed, type World, type Write } from '../ports/world.ts'
import { readHook, writeHook } from './inbound/store.ts'
import {
  authorizationsList,
  childrenList,
  DEFAULT_TENANT,
  deliveriesList,
  endpointPartition,
  endpointsList,
  fanoutsList,
  hooksList,
  parsePartition,
  runsList,
  schedulePartition,
  schedulesList,
  TENANTS_LIST,
  WEBHOOK_SECRET,
} from './partition/keys.ts'
import { headOf, stored } from './partition/stored.ts'
import { update } from './partition/update.ts'
import { readSchedule, writeSchedule } from './schedule/store.ts'
import { type Asker, audit } from './tenant/audit.ts'
import { dataKeyAnew } from './tenant/data-key.ts'
import { type Resealed, resealSecrets, sumOf } from './tenant/manage-secrets.ts'
import { findTenant, writeTenant } from './tenants/manage.ts'
import { deliveryHeadOf, SECRET, secretWrite } from './webhook/delivery.ts'
import { readEndpoint, secretRow, writeEndpoint } from './webhook/endpoint/store.ts'

/** Sealed values that are not sealed anew here, each with what does it or ends them. */
export const LEFT = [
  'webhook secrets of runs and fan-outs that have ended: nothing is signed with them any more',
  'cursors, download links and tool lists: they end within the hour, and are asked for again',
] as const

/** Safe to repeat: what was sealed anew is sealed once more. */
export async function reseal(asker: Asker): Promise<Resealed> {
  const { world, tenant, by } = asker
  const done = sumOf([
    await resealSecrets(asker),
    ...(await each(world, endpointsList(tenant), (id) => endpoint(asker, id))),
    ...(await each(world, hooksList(tenant), (id) => hook(asker, id))),
    ...(await each(world, schedulesList(tenant), (id) => schedule(asker, id))),
    ...(await each(world, runsList(tenant), (_, row) => log(asker, row))),
    ...(await each(world, fanoutsList(tenant), (_, row) => log(asker, row))),
    ...(await each(world, deliveriesList(tenant), (_, row) => delivery(asker, row))),
    ...(await authorizations(asker)),
    await dataKey(asker, tenant),
    // Of tenants that are deleted there is none: one more exchange, and no backup opens either.
    ...(tenant === DEFAULT_TENANT
      ? await each(world, TENANTS_LIST, (id) => dataKey(asker, id))
      : []),
  ])
  const detail = `${done.resealed} sealed anew; not opened: ${done.lost.length}`
  await audit(world, tenant, { kind: 'secret', name: '*', action: 'reseal', by, number: 0, detail })
  return done
}

const PAGE = 100
/** At the same time: a tenant may have thousands of runs. */
const AT_ONCE = 16

type Act = (id: string, row: Listed) => Promise<Resealed>

async function each({ store }: World, under: string, act: Act): Promise<Resealed[]> {
  const all: Resealed[] = []
  for (let before: string | undefined; ; ) {
    const page = await store.list(under, before, PAGE)
    for (let from = 0; from < page.length; from += AT_ONCE) {
      const some = page.slice(from, from + AT_ONCE)
      all.push(
        ...(await Promise.all(some.map((row) => act(parsePartition(row.partition).id, row)))),
      )
    }
    before = page.at(-1)?.at
    if (page.length < PAGE) return all
  }
}

const NONE: Resealed = { resealed: 0, lost: [] }

/** A value that no key opens stays as it is: a key that comes back opens it. */
async function anew({ secrets }: World, name: string, context: string, sealed: string) {
  const value = await secrets.open(sealed, context)
  if (value === undefined) return { sealed, done: { resealed: 0, lost: [name] } }
  return { sealed: await secrets.seal(value, context), done: { resealed: 1, lost: [] } }
}

async function allAnew(world: World, name: string, id: string, of: readonly SealedSecret[]) {
  const each = await Promise.all(
    of.map(async (one) => ({ one, ...(await anew(world, name, id, one.sealed)) })),
  )
  const secrets = each.map(({ one, sealed }) => ({ ...one, sealed }))
  return { secrets, done: sumOf(each.map(({ done }) => done)) }
}

const endpoint = ({ world, tenant }: Asker, id: string): Promise<Resealed> =>
  update(world, `the endpoint ${id}`, async () => {
    const found = await readEndpoint(world, endpointPartition(tenant, id))
    if (!found || found.endpoint.deleted) return NONE
    const { secrets, done } = await allAnew(world, `endpoint ${id}`, id, found.secrets)
    const hasOutgoing = found.outbox.length > 0
    const rows = [secretRow(secrets)]
    return (await writeEndpoint(world, found, found.endpoint, rows, hasOutgoing)) ? done : undefined
  })

const hook = ({ world, tenant, by }: Asker, id: string): Promise<Resealed> =>
  update(world, `the hook ${id}`, async () => {
    const found = await readHook(world, id)
    if (!found || found.hook.tenant !== tenant || found.secrets.length === 0) return NONE
    const { secrets, done } = await allAnew(world, `hook ${id}`, id, found.secrets)
    const entry = { action: 'reseal', by } as const
    return (await writeHook(world, found.hook, found.version, entry, secrets)) ? done : undefined
  })

const schedule = ({ world, tenant }: Asker, id: string): Promise<Resealed> =>
  update(world, `the schedule ${id}`, async () => {
    const found = await readSchedule(world, schedulePartition(tenant, id))
    if (!found || found.schedule.deleted || found.secret === undefined) return NONE
    const { sealed, done } = await anew(world, `schedule ${id}`, id, found.secret)
    const writes = { secret: sealed, hasEvents: found.events.length > 0 }
    return (await writeSchedule(world, found, found.schedule, writes)) ? done : undefined
  })

/** A run or a fan-out, and the runs of one: each of them has a secret of its own. */
async function log(asker: Asker, { partition, body }: Listed): Promise<Resealed> {
  const { world, tenant } = asker
  const head = headOf<{ readonly ended_at?: string | null } | null>(body)
  const isOver = head.view?.ended_at != null && isOutboxEmpty(head.outbox) && !head.children
  if (isOver && head.late_results === undefined) return NONE
  const { kind, id } = parsePartition(partition)
  const row = { partition, key: WEBHOOK_SECRET, context: id, name: `webhook of ${id}` }
  const own = await beside(world, row, (sealed) => ({
    ...{ op: 'put', key: WEBHOOK_SECRET, body: sealed, expect: 'any' },
  }))
  if (kind !== 'fanout') return own
  const runs = await each(world, childrenList(tenant, id), (_, run) => log(asker, run))
  return sumOf([own, ...runs])
}

/** To the webhook of a run; also one that arrived, which may be sent again by hand. */
async function delivery({ world }: Asker, { partition, body }: Listed): Promise<Resealed> {
  const { delivery: of } = deliveryHeadOf(body)
  if (of.endpoint_id != null || of.run_id === null) return NONE
  const row = { partition, key: SECRET, context: of.run_id, name: `webhook of ${of.id}` }
  return beside(world, row, (sealed) => secretWrite(of.created_at, sealed))
}

interface SealedRow {
  readonly partition: string
  readonly key: string
  readonly context: string
  readonly name: string
}

/** A row that is written once and read at the moment of use: its head stays as it is. */
async function beside(
  world: World,
  { partition, key, context, name }: SealedRow,
  write: (sealed: string) => Write,
): Promise<Resealed> {
  const { store } = world
  const row = (await store.read(partition, key.slice(0, -1))).find((one) => one.key === key)
  if (!row) return NONE
  const { sealed, done } = await anew(world, name, context, row.body)
  if (done.resealed === 0) return done
  await update(world, `the ${name}`, async () => {
    const written = await store.commit(partition, [write(sealed)])
    return written === 'ok' ? true : undefined
  })
  // It may have been deleted meanwhile, with all of its rows but this one.
  if (!(await store.heads([partition]))[0]) await store.drop(partition)
  return done
}

/** Those that are listed, and where the store lists its partitions those of before too. */
async function authorizations(asker: Asker): Promise<Resealed[]> {
  const { world, tenant } = asker
  const seen = new Set<string>()
  const listed = await each(world, authorizationsList(tenant), (_, { partition }) => {
    seen.add(partition)
    return authorization(asker, partition)
  })
  const all = (await world.store.partitions?.(`${tenant}/oauth/`, AUTHORIZATIONS)) ?? []
  const others = all.filter((partition) => !seen.has(partition))
  return [...listed, ...(await Promise.all(others.map((one) => authorization(asker, one))))]
}
const AUTHORIZATIONS = 1_000

const authorization = ({ world, tenant }: Asker, partition: string): Promise<Resealed> =>
  update(world, 'the authorization', async () => {
    const [row] = await world.store.heads([partition])
    if (row?.key !== HEAD) return NONE
    const head = stored<{ readonly sealed: string }>('an authorization', row.body, {
      sealed: 'string',
    })
    const { id } = parsePartition(partition)
    const { sealed, done } = await anew(world, `authorization ${id}`, partition, head.sealed)
    if (done.resealed === 0) return done
    const body = JSON.stringify({ ...head, sealed })
    const listed = { under: authorizationsList(tenant), at: id }
    const written = await world.store.commit(partition, [], { expect: row.version, body, listed })
    return written === 'ok' ? done : undefined
  })

/** Of an encrypted tenant. */
const dataKey = ({ world }: Asker, id: string): Promise<Resealed> =>
  update(world, `the tenant ${id}`, async () => {
    const found = await findTenant(world, id)
    const sealed = found?.tenant.sealed_key
    if (!found || sealed === undefined) return NONE
    const next = await dataKeyAnew(world, id, sealed)
    if (next === undefined) return { resealed: 0, lost: [`data key of the tenant ${id}`] }
    const tenant = { ...found.tenant, sealed_key: next }
    const done = { resealed: 1, lost: [] }
    return (await writeTenant(world, tenant, found.version)) ? done : undefined
  })
