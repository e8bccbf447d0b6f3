/**
 * Which partitions have an object, and which one. A run lies in its object with its snapshot; what
 * every run of a tenant asks for, its policy and its endpoints, in one of the tenant's. Keys and
 * hooks, which name the tenant, and whatever is only listed or expires, lie in the one database.
 */

const OWN = ['run', 'fanout', 'session', 'delivery', 'snapshot', 'live'] as const
const SHARED: ReadonlySet<string> = new Set(['policy', 'endpoint'])

const OWNED: ReadonlySet<string> = new Set(OWN)

/** The name of a tenant's own object: no id is like it. */
const TENANT = 'tenant'

/** The object that holds a partition; undefined: the database does. Ids of all kinds differ. */
export function holderOf(partition: string): string | undefined {
  const [tenant, kind = '', id] = partition.split('/')
  if (SHARED.has(kind)) return `${tenant}/${TENANT}`
  return OWNED.has(kind) ? `${tenant}/${id}` : undefined
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

/** Partitions that an object may hold, and the beginning of the names of more. */
export function partitionsOf(object: string): { names: readonly string[]; prefix?: string } {
  const [tenant, id] = object.split('/')
  if (id === TENANT) return { names: [`${tenant}/policy/tenant`], prefix: `${tenant}/endpoint/` }
  return { names: OWN.map((kind) => `${tenant}/${kind}/${id}`) }
}
