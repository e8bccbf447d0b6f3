/**
 * State of the page of webhooks in its URL: the selection, and the filters of the deliveries under
 * the names of `GET /v1/webhook-deliveries`; `since` is a time range that ends now.
 */

import type { components } from '../../client/index.ts'
import { isRange, listOf, RANGES } from '../runs/filters.ts'

type ReplayInput = components['schemas']['ReplayInput']
export type EventType = Extract<NonNullable<ReplayInput['event_type']>, string>
export type DeliveryStatus = components['schemas']['Delivery']['status']

/** Types of the events that webhooks receive; the compiler rejects a missing or unknown type. */
const EVENTS: Readonly<Record<EventType, true>> = {
  ...{ 'run.completed': true, 'run.failed': true, 'run.cancelled': true, 'run.timed_out': true },
  ...{ 'approval.requested': true, 'question.asked': true, 'question.answered': true },
  ...{ 'todos.updated': true, 'subagent.spawned': true, 'subagent.announced': true },
  ...{ 'subagent.failed': true, 'model.unavailable': true, 'model.recovered': true },
  ...{ 'fanout.created': true, 'fanout.completed': true, 'fanout.failed': true },
  ...{ 'fanout.cancelled': true, 'endpoint.disabled': true, 'schedule.disabled': true },
  ...{ 'session.created': true, 'session.updated': true, 'session.forked': true },
  ...{ 'session.deleted': true, 'quota.exceeded': true, 'endpoint.test': true },
}
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]
export const STATUSES = ['pending', 'delivered', 'failed', 'disabled', 'dropped'] as const

const FILTERS = [
  ...(['status', 'event_type', 'endpoint_id', 'run_id', 'since'] as const),
  ...(['created[gte]', 'created[lt]'] as const),
] as const
type FilterName = (typeof FILTERS)[number]
export type Filters = Readonly<Partial<Record<FilterName, string>>>

/** Tabs of the page, in their order, with the prefix of the IDs that each lists. */
export const TABS = { deliveries: 'dlv', endpoints: 'whe', hooks: 'hk' } as const
export type Tab = keyof typeof TABS

export interface WebhookSearch extends Filters {
  /** Open tab; absent for the deliveries. */
  readonly tab?: Exclude<Tab, 'deliveries'>
  /** ID of the selected delivery, endpoint, or hook. */
  readonly sel?: string
}

/** Returns the filters in a URL; ignores other members and empty values. */
export function filtersOf(search: object): Filters {
  const members = search as Readonly<Record<string, unknown>>
  const pairs = FILTERS.map((name) => [name, textOf(members[name])] as const)
  return Object.fromEntries(
    pairs.filter(([name, text]) => text !== '' && (name !== 'since' || isRange(text))),
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function webhookSearch(search: Record<string, unknown>): WebhookSearch {
  const { sel } = search
  const tab = tabOf(search)
  const isId = typeof sel === 'string' && RegExp(`^${TABS[tab]}_\\w+$`).test(sel)
  return {
    ...(tab === 'deliveries' ? filtersOf(search) : { tab }),
    ...(isId ? { sel } : {}),
  }
}

/** Returns the open tab of a URL. */
export const tabOf = ({ tab }: { readonly tab?: unknown }): Tab =>
  typeof tab === 'string' && Object.hasOwn(TABS, tab) ? (tab as Tab) : 'deliveries'

/** Changes filters; an empty value removes one. A range and exact times replace each other. */
export function withFilters(filters: Filters, changes: Filters): Filters {
  const isExact = Boolean(changes['created[gte]'] || changes['created[lt]'])
  const times = changes.since ? { 'created[gte]': '', 'created[lt]': '' } : { since: '' }
  return filtersOf({ ...filters, ...(changes.since || isExact ? times : {}), ...changes })
}

/** Query of the list. */
export type Query = Readonly<Partial<Record<Exclude<FilterName, 'since'>, string>>>

/** Returns the query of the list. `now` is the time at which the filters were chosen. */
export function queryOf({ since, ...filters }: Filters, now: number): Query {
  if (!isRange(since)) return filters
  return { ...filters, 'created[gte]': new Date(now - RANGES[since]).toISOString() }
}

/**
 * Returns the range of a replay that selects what the list shows. It excludes deliveries that are
 * created after `now`, so that the count stays true.
 */
export function replayRangeOf(query: Query, now: number): ReplayInput {
  const { status, event_type, endpoint_id, run_id } = query
  const { 'created[gte]': from, 'created[lt]': end } = query
  const to = end !== undefined && Date.parse(end) < now ? end : new Date(now).toISOString()
  return {
    ...(status && { status: listOf(status) as DeliveryStatus[] }),
    ...(event_type && { event_type: listOf(event_type) as EventType[] }),
    ...(endpoint_id && { endpoint_id }),
    ...(run_id && { run_id }),
    ...(from && { from }),
    to,
  }
}
