/** Endpoints as the page shows and edits them: their health, their form, and the changes to send. */

import type { components } from '../../client/index.ts'

export type Endpoint = components['schemas']['WebhookEndpoint']
type Input = components['schemas']['WebhookEndpointInput']
type Patch = components['schemas']['WebhookEndpointPatch']
export type Subscription = NonNullable<Input['events']>[number]
export type Format = Endpoint['format']

/** Event types and families of an endpoint; the compiler rejects a missing or unknown one. */
const SUBSCRIPTION: Readonly<Record<Subscription, true>> = {
  ...{ 'run.*': true, 'approval.*': true, 'question.*': true, 'subagent.*': true },
  ...{ 'model.*': true, 'fanout.*': true, 'session.*': true },
  ...{ 'run.completed': true, 'run.failed': true, 'run.cancelled': true, 'run.timed_out': true },
  ...{ 'approval.requested': true, 'question.asked': true, 'question.answered': true },
  ...{ 'todos.updated': true, 'subagent.spawned': true, 'subagent.announced': true },
  ...{ 'subagent.failed': true, 'model.unavailable': true, 'model.recovered': true },
  ...{ 'fanout.created': true, 'fanout.completed': true, 'fanout.failed': true },
  ...{ 'fanout.cancelled': true, 'endpoint.disabled': true, 'schedule.disabled': true },
  ...{ 'session.created': true, 'session.updated': true, 'session.forked': true },
  ...{ 'session.deleted': true, 'quota.exceeded': true },
}
export const SUBSCRIPTIONS = Object.keys(SUBSCRIPTION) as readonly Subscription[]

export type Health = 'enabled' | 'failing' | 'paused' | 'disabled'

/** Returns the state that most restricts what the endpoint receives. */
export function healthOf(
  { enabled, open_until, failing_since }: Endpoint,
  now = Date.now(),
): Health {
  if (!enabled) return 'disabled'
  if (open_until !== null && Date.parse(open_until) > now) return 'paused'
  return failing_since === null ? 'enabled' : 'failing'
}

/** Values of the form. */
export interface Draft {
  readonly url: string
  readonly description: string
  readonly format: Format
  readonly events: readonly string[]
}

export const draftOf = (endpoint: Endpoint | undefined): Draft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  format: endpoint?.format ?? 'standard',
  events: endpoint?.events ?? [],
})

export const inputOf = ({ url, description, format, events }: Draft): Input => ({
  url: url.trim(),
  format,
  ...(description.trim() && { description: description.trim() }),
  ...(events.length > 0 && { events: events as Subscription[] }),
})

/** Returns only the changed members, so that a change by another person stays. */
export function patchOf(endpoint: Endpoint, draft: Draft): Patch {
  const { url, description, format, events } = draft
  const text = description.trim() || null
  const isSame = events.toSorted().join() === endpoint.events.toSorted().join()
  return {
    ...(url.trim() !== endpoint.url && { url: url.trim() }),
    ...(text !== endpoint.description && { description: text }),
    ...(format !== endpoint.format && { format }),
    ...(!isSame && { events: events as Subscription[] }),
  }
}
