/**
 * Which partitions have an object, and which one. A run lies in its object with its session, its
 * snapshot and the subagents that were named for its place (`childId`); what every run of a tenant
 * asks for, its policy, its endpoints and the listings of its layers, in one of the tenant's. Keys
 * and hooks, which name the tenant, and all that is only listed or expires, lie in one database.
 */

import { affinityOf } from '../../../lib/id.ts'

/** Partition kinds stored in the object whose name starts their IDs. */
const LOCAL_KINDS: ReadonlySet<string> = new Set([
  'run',
  'fanout',
  'session',
  'delivery',
  'schedule',
  'snapshot',
  'live',
])
const SHARED: ReadonlySet<string> = new Set(['policy', 'endpoint', 'layers', 'rate'])

/** Partitions of copies for lists: an hour's, and the directory of hours. */
const LISTS = 'lists'
const DIRECTORY = 'hours'

/** The name of a tenant's own object: no id is like it. */
const TENANT = 'tenant'

/** Returns the object that stores a partition; undefined for the database. */
export function holderOf(partition: string): string | undefined {
  const [tenant, kind = '', id = ''] = partition.split('/')
  if (SHARED.has(kind) || (kind === LISTS && id === DIRECTORY)) return `${tenant}/${TENANT}`
  if (kind === LISTS) return `${tenant}/${id}`
  return LOCAL_KINDS.has(kind) ? `${tenant}/${affinityOf(id)}` : undefined
}

/** The object that has all rows of a list, or copies of them; undefined: the database has. */
export function listerOf(under: string): string | undefined {
  const [tenant, list, more] = under.split('/')
  if (list === 'endpoints' && more === undefined) return `${tenant}/${TENANT}`
  const parent = parentOf(under)
  return parent && holderOf(parent)
}

/** Whose children a list shows, a partition; undefined: it is another list. */
export function parentOf(under: string): string | undefined {
  const [tenant, list, id] = under.split('/')
  if (list !== 'runs' || id === undefined) return undefined
  return `${tenant}/${id.startsWith('fan_') ? 'fanout' : 'run'}/${id}`
}

/** Lists of a whole tenant, whose positions start with a time from the row. */
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
/** The partition of an hour's copies; its object is named by the hour, as no id is. */
export const hourPartition = (under: string, hour: string): string =>
  `${under.split('/')[0]}/${LISTS}/${hour}`
/** The partition whose rows name the hours that have copies. */
export const directoryOf = (of: string): string => `${of.split('/')[0]}/${LISTS}/${DIRECTORY}`
/** Returns the hour of a partition of copies; else undefined. */
export const hourIn = (partition: string): string | undefined => {
  const [, kind, id] = partition.split('/')
  return kind === LISTS && id !== DIRECTORY ? id : undefined
}

/** The partition whose object has the copy of a row for its list; '': the database has it. */
export const copyHome = (under: string, at: string): string =>
  parentOf(under) ?? (isHourly(under) && IS_HOUR.test(at) ? hourPartition(under, hourOf(at)) : '')
const IS_HOUR = /^\d{4}-\d\d-\d\dT\d\d/

/** Whether a list that shows a row has the row itself, and needs no copy of it. */
export const isListedHere = (partition: string, under: string): boolean => {
  const lister = listerOf(under)
  return lister !== undefined && lister === holderOf(partition)
}

/** Returns the object that runs passes over a partition, wherever it is stored. */
export function workerOf(partition: string): string {
  const [tenant, kind, id] = partition.split('/')
  if (kind === undefined || id === undefined) return partition
  return holderOf(partition) ?? `${tenant}/${id}`
}
