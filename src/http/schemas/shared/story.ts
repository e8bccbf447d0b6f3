/**
 * Defines the scenario of all examples in the contract: a shop's support desk. A ticket about order
 * 48213 arrives. `support-triage` answers it and asks `order-lookup` and a person. A fan-out sorts
 * one night's tickets. IDs and digests are derived, so they are the same in every build.
 */

import { sha256 } from '../../../lib/digest.ts'
import { derivedId } from '../../../lib/id.ts'

export const RUN = derivedId('run', 'triage')
export const CHILD = derivedId('run', 'lookup')
export const SESSION = derivedId('ses', 'triage')
export const CHILD_SESSION = derivedId('ses', 'lookup')
export const CALL = derivedId('call', 'refund')
export const SPAWN = derivedId('call', 'lookup')
export const APPROVAL = `${derivedId('apr', 'refund')}${derivedId('apr', 'of the run').slice('apr_'.length)}`
export const OTHER_APPROVAL = `${derivedId('apr', 'another refund')}${derivedId('apr', 'of the run').slice('apr_'.length)}`
export const FANOUT = derivedId('fan', 'night')
export const OPEN_FANOUT = derivedId('fan', 'archive')
export const TASKS = [derivedId('run', 'ticket', 0), derivedId('run', 'ticket', 1)] as const
export const CLOSING = derivedId('run', 'digest')
export const ENDPOINT = derivedId('whe', 'desk')
export const DELIVERY = derivedId('dlv', 'desk')
export const HOOK = derivedId('hk', 'helpdesk')
export const SCHEDULE = derivedId('sch', 'digest')
export const KEY = derivedId('key', 'ada')
export const VERSION = derivedId('ver', 2)
export const OLDER_VERSION = derivedId('ver', 1)
export const REQUEST = derivedId('req', 'triage')
export const MESSAGE = derivedId('msg', 'triage')

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

/** Returns the timestamp of a time of day in the scenario. */
export const at = (time: string) => `2026-11-23T${time}Z`
/** Returns a digest for a subject that exists only in the scenario. */
export const digestOf = (subject: string) => sha256(subject)
export const etagOf = (subject: string) => sha256(subject).slice(0, 32)

export const USAGE = { input_tokens: 5_310, output_tokens: 412, model_calls: 3, list_price: 0.0221 }
export const NO_CHILDREN = {
  total: 0,
  live: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  timed_out: 0,
} as const
