/**
 * Formats of a webhook body: Standard Webhooks, CloudEvents 1.0 in structured mode
 * (cloudevents.io), or an A2A push notification, available only through the A2A endpoint. Signature
 * and headers are the same for all formats.
 */

import { taskUpdate } from './task-update.ts'

/** Webhook formats that a caller can select. */
export const CHOSEN_FORMATS = ['standard', 'cloudevents'] as const
export const WEBHOOK_FORMATS = [...CHOSEN_FORMATS, 'a2a'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/**
 * Object with the stored webhook format; absent means `standard`, as in all rows older than this
 * option.
 */
export interface Formatted {
  readonly format?: WebhookFormat | undefined
}

export const formatOf = ({ format = 'standard' }: Formatted): WebhookFormat => format

/** Returns the webhook format to store; empty for the default format. */
export const formatted = (source: Formatted | null | undefined): Formatted =>
  source && formatOf(source) !== 'standard' ? { format: source.format } : {}

export const CONTENT_TYPES: Readonly<Record<WebhookFormat, string>> = {
  standard: 'application/json',
  cloudevents: 'application/cloudevents+json; charset=utf-8',
  a2a: 'application/a2a+json',
}

/** CloudEvents `source` of every event. Event IDs are distinct across servers. */
export const CLOUDEVENTS_SOURCE = 'urn:strata'

interface Enveloped {
  readonly id: string
  readonly type: string
  readonly run_id: string | null
  readonly created_at: string
}

/** Returns an event payload in the envelope of a webhook format. */
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

/**
 * Returns the CloudEvents subject: the run or fan-out. For tenant events, the subject is the
 * session, schedule, or endpoint.
 */
function subjectOf(event: Enveloped): string | undefined {
  if (event.run_id !== null) return event.run_id
  const { data } = event as { readonly data?: Readonly<Record<string, unknown>> }
  const ids = [data?.session_id, data?.schedule_id, data?.endpoint_id]
  return ids.find((id) => typeof id === 'string')
}
