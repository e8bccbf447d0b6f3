/**
 * Maps partitions to Durable Objects. A run is stored in an object with its session, its snapshot,
 * and the subagents whose IDs assign them to this object (`childId`). Data that every run of a
 * tenant needs is in an object of the tenant: policy, endpoints, secrets, and layer listings.
 * Another object has the tenant's audit chain. One database stores the keys and hooks, which
 * identify the tenant, and data that is only listed or expires.
 */

import { affinityOf } from '../../../lib/id.ts'

/** Kinds of partitions stored in the object that is named after the prefix of their IDs. */
const LOCAL_KINDS: ReadonlySet<string> = new Set([
  'run',
  'fanout',
  'session',
  'delivery',
  'schedule',
  'snapshot',
  'live',
])
const SHARED: ReadonlySet<string> = new Set(['policy', 'endpoint', 'layers', 'rate', 'secrets'])

/** Kind of the partitions that contain list copies: one per hour, and the directory of hours. */
const LISTS = 'lists'
const DIRECTORY = 'hours'

/** Name of a tenant's object; no ID can equal this name. */
const TENANT = 'tenant'

/** Kind of the pages of the audit chain, and name of the object that stores all of them. */
const CHAIN = 'chain'

/** Returns the name of the object that stores a partition; undefined if the database stores it. */
export function holderOf(partition: string): string | undefined {
  const [tenant, kind = '', id = ''] = partition.split('/')
  if (SHARED.has(kind) || (kind === LISTS && id === DIRECTORY)) return `${tenant}/${TENANT}`
  if (kind === LISTS) return `${tenant}/${id}`
  if (kind === CHAIN) return `${tenant}/${CHAIN}`
  return LOCAL_KINDS.has(kind) ? `${tenant}/${affinityOf(id)}` : undefined
}

/**
 * Returns the name of the object that has all rows of a list, or copies of them; undefined if the
 * database lists them.
 */
export function listerOf(under: string): string | undefined {
  const [tenant, list, more] = under.split('/')
  if (list === 'endpoints' && more === undefined) return `${tenant}/${TENANT}`
  const parent = parentOf(under)
  return parent && holderOf(parent)
}

/** Returns the partition whose children the list shows; undefined for other lists. */
export function parentOf(under: string): string | undefined {
  const [tenant, list, id] = under.split('/')
  if (list !== 'runs' || id === undefined) return undefined
  return `${tenant}/${id.startsWith('fan_') ? 'fanout' : 'run'}/${id}`
}

/** Lists that cover a complete tenant and whose positions start with a time. */
const HOURLY: ReadonlySet<string> = new Set([
  'runs',
  'fanouts',
  'sessions',
  'approvals',
  'deliveries',
])
export const isHourly = (under: string): boolean => {
  const [, list = ''] = under.split('/')
  return HOURLY.has(list) && parentOf(under) === undefined
}

const HOUR = 'YYYY-MM-DDThh'.length
export const hourOf = (at: string): string => at.slice(0, HOUR)
/**
 * Returns the partition that contains an hour's copies; its object is named after the hour, which
 * no ID can equal.
 */
export const hourPartition = (under: string, hour: string): string =>
  `${under.split('/')[0]}/${LISTS}/${hour}`
/** Returns the partition whose rows name the hours that have copies. */
export const directoryOf = (of: string): string => `${of.split('/')[0]}/${LISTS}/${DIRECTORY}`
/** Returns the hour of a partition that contains list copies; undefined for other partitions. */
export const hourIn = (partition: string): string | undefined => {
  const [, kind, id] = partition.split('/')
  return kind === LISTS && id !== DIRECTORY ? id : undefined
}

/**
 * Returns the partition whose object has the copy of a row for its list; empty if the database
 * lists the row.
 */
export const copyHome = (under: string, at: string): string =>
  parentOf(under) ?? (isHourly(under) && IS_HOUR.test(at) ? hourPartition(under, hourOf(at)) : '')
const IS_HOUR = /^\d{4}-\d\d-\d\dT\d\d/

/** Reports whether a row is in the same object as the list that shows it, so needs no copy. */
export const isListedHere = (partition: string, under: string): boolean => {
  const lister = listerOf(under)
  return lister !== undefined && lister === holderOf(partition)
}

/**
 * Returns the name of the object that runs passes over a partition, regardless of where the
 * partition is stored.
 */
export function workerOf(partition: string): string {
  const [tenant, kind, id] = partition.split('/')
  if (kind === undefined || id === undefined) return partition
  return holderOf(partition) ?? `${tenant}/${id}`
}
