/**
 * Partitions that hold a tenant's data. Lists name most of them; a platform that can list
 * partitions finds the rest. Elsewhere, the partitions that each tenant has once are known by name.
 */

import { RESOURCE_QUOTAS } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import {
  chainPage,
  chainTip,
  childrenList,
  livePartition,
  parsePartition,
  scheduleFires,
  snapshotPartition,
  tenantPrefix,
} from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { storedKeyOf } from '../tenant/api-keys.ts'
import { accountOf, quotaRow } from '../tenant/quota-owner.ts'
import { WORK_COUNTS } from '../tenant/work-quota.ts'

const PAGE = 100

/** Names of the tenant's lists. Credentials come first, because only lists tell whose they are. */
const LISTS = [
  ...(['keys', 'hooks', 'browsers', 'audit', 'schedules', 'wakeups', 'endpoints'] as const),
  ...(['sessions', 'active-sessions', 'runs', 'fanouts', 'deliveries'] as const),
  ...(['approvals/pending', 'approvals/decided', 'mcp-lists', 'secret-subjects'] as const),
] as const

/** Names of partitions of which each tenant has one. */
const SINGLE = [
  ...(['policy/tenant', 'layers/stamp', 'secrets/tenant', 'chain/tip'] as const),
  ...[...RESOURCE_QUOTAS, 'browsers'].map((list) => `quota/${list}`),
  ...[...WORK_COUNTS, 'usage', 'storage'].map((count) => `quota/${count}`),
] as const

/** Sentences about data that a platform without `Store.partitions` cannot list. */
export const UNLISTED: readonly string[] = [
  'Reservations of Idempotency-Keys, stored listings, and marks of deleted runs cannot be listed ' +
    'on this platform; they expire within 24 hours.',
  'Authorizations at MCP servers cannot be listed on this platform; their sealed rows stay, and ' +
    'no key can read them.',
  'Counts of the quotas of API keys that were revoked earlier cannot be listed on this platform; ' +
    'they contain only numbers and IDs.',
]

/** Matches partitions outside the tenant's name that the tenant's lists may contain. */
export const CREDENTIAL = /^_\/(?:key|hook|browser|sign-in)\//

/** Yields each partition of the tenant that has rows, once. */
export async function* partitionsOf(world: World, tenant: string): AsyncGenerator<string> {
  const visited = new Set<string>()
  const isNew = (partition: string): boolean =>
    !visited.has(partition) && visited.add(partition).size > 0
  for (const list of LISTS) {
    for await (const partition of partitionsInList(world, tenant, `${tenantPrefix(tenant)}${list}`))
      if (isNew(partition)) yield partition
  }
  const unlisted = world.store.partitions
    ? partitionsByPrefix(world, tenant)
    : singlePartitions(world, tenant)
  for await (const partition of unlisted) if (isNew(partition)) yield partition
}

async function* partitionsInList(
  world: World,
  tenant: string,
  under: string,
): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const rows = await world.store.list(under, cursor, PAGE)
    for (const partition of new Set(rows.map((row) => row.partition))) {
      if (!partition.startsWith(tenantPrefix(tenant)) && !CREDENTIAL.test(partition)) continue
      const { kind, id } = parsePartition(partition)
      // Descendants first, because the list of children may name its parent's object.
      if (kind === 'run' || kind === 'fanout') {
        yield* partitionsInList(world, tenant, childrenList(tenant, id))
        yield snapshotPartition(partition)
        yield livePartition(partition)
      }
      if (kind === 'key') yield* countsOfKey(world, tenant, partition)
      if (kind === 'schedule') yield* partitionsInList(world, tenant, scheduleFires(tenant, id))
      yield partition
    }
    cursor = rows.length < PAGE ? undefined : rows.at(-1)?.at
  } while (cursor !== undefined)
}

/** Yields the counts of the key's quotas, which keys of the same account share. */
async function* countsOfKey(
  { store }: World,
  tenant: string,
  partition: string,
): AsyncGenerator<string> {
  const [head] = await store.heads([partition])
  if (!head) return
  const key = storedKeyOf(head.body)
  const owner = { tenant, key: { id: key.key_id, account: accountOf(key) }, quotas: {} }
  const names = [...WORK_COUNTS, ...RESOURCE_QUOTAS, 'usage'].map((count) => quotaRow(owner, count))
  const counts = await store.heads(names)
  for (const [index, count] of counts.entries()) if (count) yield names[index]!
}

async function* partitionsByPrefix({ store }: World, tenant: string): AsyncGenerator<string> {
  let after: string | undefined
  for (;;) {
    const names = (await store.partitions?.(tenantPrefix(tenant), PAGE, after)) ?? []
    yield* names
    after = names.at(-1)
    if (names.length < PAGE) break
  }
  yield* signInLinks(store, tenant)
}

/** Yields unused sign-in links of the tenant, which no list contains. */
async function* signInLinks(store: World['store'], tenant: string): AsyncGenerator<string> {
  let after: string | undefined
  for (;;) {
    const names = (await store.partitions?.('_/sign-in/', PAGE, after)) ?? []
    const heads = await store.heads(names)
    for (const [index, row] of heads.entries()) {
      const owner = row && (JSON.parse(row.body) as { readonly tenant?: string }).tenant
      if (owner === tenant) yield names[index]!
    }
    after = names.at(-1)
    if (names.length < PAGE) return
  }
}

/** Yields the pages of the audit chain, which follow the page that the pointer names. */
async function* chainPages({ store }: World, tenant: string): AsyncGenerator<string> {
  const [pointer] = await store.heads([chainTip(tenant)])
  const last = pointer
    ? stored<{ page: number }>('a tip', pointer.body, { page: 'number' }).page
    : 0
  for (let page = 0; ; page += 1) {
    const partition = chainPage(tenant, page)
    const [head] = await store.heads([partition])
    if (head) yield partition
    else if (page >= last) return
  }
}

async function* singlePartitions(world: World, tenant: string): AsyncGenerator<string> {
  const { store } = world
  yield* chainPages(world, tenant)
  for (const name of SINGLE) {
    const partition = `${tenantPrefix(tenant)}${name}`
    if ((await store.read(partition)).length > 0) yield partition
  }
}
