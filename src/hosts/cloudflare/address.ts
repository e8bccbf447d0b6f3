/**
 * Which partitions have an object, and which one. A run lies in its object with its session, its
 * snapshot and the subagents that were named for its place (`childId`); what every run of a tenant
 * asks for, its policy, its endpoints and the listings of its layers, in one of the tenant's. Keys
 * and hooks, which name the tenant, and all that is only listed or expires, lie in one database.
 */

import { kinOf } from '../../lib/id.ts'

/** Kinds of partitions, and how the ids of each may begin. */
const OWN = {
  run: ['run'],
  fanout: ['fan'],
  session: ['ses'],
  delivery: ['dlv'],
  schedule: ['sch'],
  snapshot: ['run', 'fan'],
  live: ['run', 'fan'],
} as const
const SHARED: ReadonlySet<string> = new Set(['policy', 'endpoint', 'layers'])

/** The name of a tenant's own object: no id is like it. */
const TENANT = 'tenant'

/** The object that holds a partition; undefined: the database does. */
export function holderOf(partition: string): string | undefined {
  const [tenant, kind = '', id = ''] = partition.split('/')
  if (SHARED.has(kind)) return `${tenant}/${TENANT}`
  return kind in OWN ? `${tenant}/${kinOf(id)}` : undefined
}

/** The object that holds all rows of a list; undefined: the database has copies of them. */
export function listerOf(under: string): string | undefined {
  const [tenant, list, more] = under.split('/')
  return list === 'endpoints' && more === undefined ? `${tenant}/${TENANT}` : undefined
}

/** The object that makes passes over a partition, wherever that lies. */
export function workerOf(partition: string): string {
  const [tenant, kind, id] = partition.split('/')
  if (kind === undefined || id === undefined) return partition
  return holderOf(partition) ?? `${tenant}/${id}`
}

/** How the names of all partitions begin that an object may hold. */
export function prefixesOf(object: string): readonly string[] {
  const [tenant, kin] = object.split('/')
  if (kin === TENANT) return [`${tenant}/policy/`, `${tenant}/endpoint/`]
  return Object.entries(OWN).flatMap(([kind, beginnings]) =>
    beginnings.map((beginning) => `${tenant}/${kind}/${beginning}_${kin}`),
  )
}
