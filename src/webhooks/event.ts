/** The events that webhooks carry, by their `type`, as types alone. */

import type * as z from 'zod'
import type { WebhookAbout } from '../core/webhook/signature.ts'
import type { FANOUT_OWN } from '../http/schemas/events/fanout-events.ts'
import type { RUN_DATA } from '../http/schemas/events/run-events.ts'

type Shapes = Readonly<Record<string, z.ZodType>>
type DataOf<S extends Shapes> = { readonly [T in keyof S]: z.output<S[T]> }

/** The tenant's own, which stand in no log. */
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
  /** A run or a fan-out; null: the event is the tenant's own. */
  readonly run_id: string | null
  /** Orders the events of one run, session, schedule or endpoint. */
  readonly seq: number
  /** RFC 3339. */
  readonly created_at: string
  /** A test of the endpoint: no event has happened. */
  readonly test?: true
}
/** A large event goes without its data: `href` is the path of the request that answers it whole. */
type WithData<D> =
  | { readonly data: D; readonly href?: undefined }
  | { readonly data?: undefined; readonly href: string }

/** An event of one type; without a type argument any of them, by its `type`. */
export type WebhookEvent<T extends WebhookType = WebhookType> = {
  [K in T]: Common<K> &
    (K extends keyof Log
      ? Partial<WebhookAbout> & WithData<Log[K]>
      : K extends keyof TenantData
        ? WithData<TenantData[K]>
        : never)
}[T]

export type WebhookType = keyof Log | keyof TenantData
