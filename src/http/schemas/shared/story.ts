/**
 * The story that all examples of the contract tell: the support desk of a shop. A ticket about
 * order 48213 comes in, `support-triage` answers it, asks `order-lookup` and a person, and a
 * fan-out sorts the tickets of a night. Ids and digests are made, so they are equal everywhere.
 */

import { sha256 } from '../../../lib/digest.ts'
import { named } from '../../../lib/id.ts'

export const RUN = named('run', 'triage')
export const CHILD = named('run', 'lookup')
export const SESSION = named('ses', 'triage')
export const CHILD_SESSION = named('ses', 'lookup')
export const CALL = named('call', 'refund')
export const SPAWN = named('call', 'lookup')
export const APPROVAL = `${named('apr', 'refund')}${named('apr', 'of the run').slice('apr_'.length)}`
export const FANOUT = named('fan', 'night')
export const OPEN_FANOUT = named('fan', 'archive')
export const TASKS = [named('run', 'ticket', 0), named('run', 'ticket', 1)] as const
export const CLOSING = named('run', 'digest')
export const ENDPOINT = named('whe', 'desk')
export const DELIVERY = named('dlv', 'desk')
export const HOOK = named('hk', 'helpdesk')
export const SCHEDULE = named('sch', 'digest')
export const KEY = named('key', 'ada')
export const VERSION = named('ver', 2)
export const OLDER_VERSION = named('ver', 1)
export const REQUEST = named('req', 'triage')
export const MESSAGE = named('msg', 'triage')

export const AGENT = 'support-triage'
export const MODEL = 'anthropic/claude-sonnet-4-5'
export const LABEL = 'Ticket 7731'
export const METADATA = { ticket: '7731', queue: 'refunds' } as const
export const INPUT = 'Order 48213 arrived broken. The customer asks for a refund.'
export const ANSWER =
  'Order 48213 was delivered on 20 November and is within the return period. The refund of ' +
  '42.00 EUR is under way.'
export const RECEIVER = 'https://desk.shop.example/strata'
export const LAYER = 'base/'

/** A moment of the morning on which the story plays. */
export const at = (time: string) => `2026-11-23T${time}Z`
/** The digest of something that only the story knows. */
export const digestOf = (what: string) => sha256(what)
export const etagOf = (what: string) => sha256(what).slice(0, 32)

export const USAGE = { input_tokens: 5_310, output_tokens: 412, model_calls: 3, list_price: 0.0221 }
export const NO_CHILDREN = {
  total: 0,
  live: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  timed_out: 0,
} as const
