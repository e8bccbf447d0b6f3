/** The kind of event that an inbound message is about, by the words of the service that sends it. */

import type { InboundHeaders } from './signed.ts'

/** Services that sign in a way of their own. */
export type Vendor = 'slack' | 'stripe' | 'linear'
export type InboundScheme = 'standard' | 'svix' | 'github' | Vendor

const EVENT = /^[a-z][a-z0-9_]{0,63}$/

/** Null: it says none. GitHub's header is not signed, so it is only data like the payload. */
export function kindOf(
  scheme: InboundScheme,
  headers: InboundHeaders,
  payload: unknown,
): string | null {
  if (scheme === 'github') {
    const kind = headers['x-github-event']
    return typeof kind === 'string' && EVENT.test(kind) ? kind : null
  }
  if (scheme === 'slack') return slackKind(payload)
  const isVendor = scheme === 'stripe' || scheme === 'linear'
  return textOf(payload, 'type', isVendor ? 200 : 100)
}

/** The event inside, else what it is itself; a command has no type. */
function slackKind(payload: unknown): string | null {
  const kind = textOf(payload, 'type')
  const inner = kind === 'event_callback' ? (payload as { event?: unknown }).event : undefined
  return textOf(inner, 'type') ?? kind ?? textOf(payload, 'command')
}

/** An own member that is a text of at most so many characters. */
export function textOf(value: unknown, name: string, max = 200): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
  const found = (value as Record<string, unknown>)[name]
  return typeof found === 'string' && found.length <= max ? found : null
}
