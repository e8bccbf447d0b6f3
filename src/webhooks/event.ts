/** Defines the types of webhook events, by their `type`. */

import type * as z from 'zod'
import type { WebhookAbout } from '../core/webhook/signature.ts'
import type { FANOUT_OWN } from '../http/schemas/events/fanout-events.ts'
import type { RUN_DATA } from '../http/schemas/events/run-events.ts'

type Shapes = Readonly<Record<string, z.ZodType>>
type DataOf<S extends Shapes> = { readonly [T in keyof S]: z.output<S[T]> }

/** Data of tenant events, which are not recorded in any log. */
interface TenantData {
  readonly 'endpoint.disabled': {
    readonly endpoint_id: string
    readonly url: string
    readonly reason: string
    readonly failing_since: string | null
  }
  readonly 'endpoint.test': { readonly endpoint_id: string }
  readonly 'schedule.disabled': {
    readonly schedule_id: string
    readonly name: string
    readonly reason: 'failing' | 'source'
    readonly detail: string | null
    readonly failures: number
    readonly last_run_id: string | null
  }
  readonly 'quota.exceeded': {
    readonly tenant: string
    readonly owner: 'tenant' | 'key'
    readonly key_id: string | null
    readonly quota: string
    readonly limit: number
    readonly used: number
    readonly resets_at: string | null
  }
  readonly 'session.created': SessionShown
  readonly 'session.updated': SessionShown & { readonly changed: readonly string[] }
  readonly 'session.forked': SessionShown & {
    readonly forked_from: { readonly session_id: string; readonly position: string }
  }
  readonly 'session.deleted': SessionShown & { readonly reason: 'requested' | 'retention' }
}
interface SessionShown {
  readonly session_id: string
  readonly agent: string | null
  readonly title: string | null
  readonly archived: boolean
  readonly retention_seconds: number | null
  readonly metadata: Readonly<Record<string, string>>
}

type Log = DataOf<typeof RUN_DATA> & DataOf<typeof FANOUT_OWN>

interface Common<T> {
  readonly id: string
  readonly type: T
  /** ID of the run or fan-out that the event is about; null for a tenant event. */
  readonly run_id: string | null
  /** Sequence number that orders the events of one run, session, schedule, or endpoint. */
  readonly seq: number
  /** RFC 3339. */
  readonly created_at: string
  /** Set if the message only tests the endpoint and reports no real event. */
  readonly test?: true
}
/**
 * Event with its data. A large event omits the data, and `href` is the path of the request that
 * returns it.
 */
type WithData<D> =
  | { readonly data: D; readonly href?: undefined }
  | { readonly data?: undefined; readonly href: string }

/** Webhook event of one type; without a type argument, any event, distinguished by its `type`. */
export type WebhookEvent<T extends WebhookType = WebhookType> = {
  [K in T]: Common<K> &
    (K extends keyof Log
      ? Partial<WebhookAbout> & WithData<Log[K]>
      : K extends keyof TenantData
        ? WithData<TenantData[K]>
        : never)
}[T]

export type WebhookType = keyof Log | keyof TenantData
