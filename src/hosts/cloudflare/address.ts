/**
 * Which partitions have an object of their own, and which one. A run lies in its object with its
 * snapshot; what must be found before an object is known (keys, hooks), what belongs to a whole
 * tenant, and all lists lie in the one database.
 */

const KINDS = ['run', 'fanout', 'session', 'delivery', 'snapshot', 'live'] as const

const OWNED: ReadonlySet<string> = new Set(KINDS)

/** The object that holds a partition; undefined: the database does. Ids of all kinds differ. */
export function holderOf(partition: string): string | undefined {
  const [tenant, kind = '', id] = partition.split('/')
  return OWNED.has(kind) ? `${tenant}/${id}` : undefined
}

/** The object that makes passes over a partition, wherever that lies. */
export function workerOf(partition: string): string {
  const [tenant, kind, id] = partition.split('/')
  return kind === undefined || id === undefined ? partition : `${tenant}/${id}`
}

/** Partitions that an object may hold. */
export function partitionsOf(object: string): readonly string[] {
  const [tenant, id] = object.split('/')
  return KINDS.map((kind) => `${tenant}/${kind}/${id}`)
}
