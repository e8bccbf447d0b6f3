/**
 * The forms of a webhook's body: that of Standard Webhooks, a CloudEvent 1.0 in structured mode
 * (cloudevents.io), or a push notification of A2A, which only A2A's own door asks for. Signature
 * and headers are the same for all.
 */

import { taskUpdate } from './task-update.ts'

/** Formats that a caller can choose. */
export const CHOSEN_FORMATS = ['standard', 'cloudevents'] as const
export const WEBHOOK_FORMATS = [...CHOSEN_FORMATS, 'a2a'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** As it is stored: absent is `standard`, as in everything older than the choice. */
export interface Formatted {
  readonly format?: WebhookFormat | undefined
}

export const formatOf = ({ format = 'standard' }: Formatted): WebhookFormat => format

/** For what is stored: nothing unless it is another form than the usual one. */
export const formatted = (source: Formatted | null | undefined): Formatted =>
  source && formatOf(source) !== 'standard' ? { format: source.format } : {}

export const CONTENT_TYPES: Readonly<Record<WebhookFormat, string>> = {
  standard: 'application/json',
  cloudevents: 'application/cloudevents+json; charset=utf-8',
  a2a: 'application/a2a+json',
}

/** The producer of every event; IDs differ across producers. */
export const CLOUDEVENTS_SOURCE = 'urn:strata'

interface Enveloped {
  readonly id: string
  readonly type: string
  readonly run_id: string | null
  readonly created_at: string
}

/** The body around the event as it is shown. */
export function enveloped(event: Enveloped, payload: object, format: WebhookFormat): object {
  const { id, type, created_at } = event
  if (format === 'a2a') return taskUpdate(event, payload)
  if (format === 'standard') return { type, timestamp: created_at, data: payload }
  const subject = subjectOf(event)
  return {
    specversion: '1.0',
    id,
    source: CLOUDEVENTS_SOURCE,
    type,
    ...(subject === undefined ? {} : { subject }),
    time: created_at,
    datacontenttype: CONTENT_TYPES.standard,
    data: payload,
  }
}

/** The run or fan-out; of the tenant's own events the session, schedule or endpoint. */
function subjectOf(event: Enveloped): string | undefined {
  if (event.run_id !== null) return event.run_id
  const { data } = event as { readonly data?: Readonly<Record<string, unknown>> }
  const ids = [data?.session_id, data?.schedule_id, data?.endpoint_id]
  return ids.find((id) => typeof id === 'string')
}
