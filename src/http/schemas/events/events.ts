/** Schemas of all run and fan-out events: the envelope with the data of each event type. */

import * as z from 'zod'
import type { FanoutFact } from '../../../core/fanout/facts.ts'
import { EVENTS, FANOUT_EVENTS } from '../shared/examples.ts'
import { extending, idOf, time } from '../shared/words.ts'
import { FANOUT_OWN } from './fanout-events.ts'
import { RUN_DATA } from './run-events.ts'

/**
 * Converts an event type to its schema name in the contract: `run.timed_out` becomes `RunTimedOut`.
 */
export const eventName = (type: string): string =>
  type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

for (const [type, data] of Object.entries({ ...RUN_DATA, ...FANOUT_OWN })) {
  z.globalRegistry.add(data, { ...z.globalRegistry.get(data), id: `${eventName(type)}Data` })
}

/** Types of events that a run's log can contain. */
export const EVENT_TYPES = Object.keys(RUN_DATA) as (keyof typeof RUN_DATA)[]

const NONE = '0 if the event is not in a log because the log had ended (webhooks only)'

const created = () => time('Time of the event, which never decreases within a log')

/** Creates the schema of an event's `type` member, which discriminates event schemas. */
export const eventType = <T extends string>(type: T) =>
  z
    .literal(type)
    .describe(`Type of the event. Always \`${type}\`; determines the structure of \`data\``)

/** Common members of run events, without type and data. */
export const EventBase = z
  .strictObject({
    id: idOf('evt', 'The event'),
    run_id: idOf('run', 'ID of the run whose log contains the event'),
    seq: z.int().describe(`Position in the run's log, from 1 without gaps; ${NONE}`),
    created_at: created(),
  })
  .meta({ id: 'EventBase', description: 'Members common to all run events' })

/** Common members of fan-out events, without type and data. */
export const FanoutEventBase = z
  .strictObject({
    id: idOf('evt', 'The event'),
    run_id: idOf('fan', 'ID of the fan-out whose log contains the event'),
    seq: z.int().describe(`Position in the fan-out's log, from 1 without gaps; ${NONE}`),
    created_at: created(),
  })
  .meta({ id: 'FanoutEventBase', description: 'Members common to all fan-out events' })

/**
 * Data schemas of events in a fan-out's log, which has the same facts about children as a run's
 * log.
 */
export const FANOUT_DATA = {
  ...FANOUT_OWN,
  'subagent.spawned': RUN_DATA['subagent.spawned'],
  'subagent.announced': RUN_DATA['subagent.announced'],
  'subagent.failed': RUN_DATA['subagent.failed'],
  'barrier.released': RUN_DATA['barrier.released'],
  'cancel.requested': RUN_DATA['cancel.requested'],
} as const satisfies Readonly<Record<FanoutFact['type'], z.ZodType>>

/**
 * Creates the schema of a fan-out event; an event type that run logs also contain gets another
 * schema name.
 */
const fanoutEvent = (type: keyof typeof FANOUT_DATA) =>
  FanoutEventBase.extend({ type: eventType(type), data: FANOUT_DATA[type] }).meta({
    id: `${type in RUN_DATA ? 'Fanout' : ''}${eventName(type)}Event`,
    ...extending(FanoutEventBase),
    description: `A \`${type}\` event from a fan-out`,
  })
const [firstOf, ...restOf] = (Object.keys(FANOUT_DATA) as (keyof typeof FANOUT_DATA)[]).map(
  fanoutEvent,
)
export const FanoutEvent = z.discriminatedUnion('type', [firstOf!, ...restOf]).meta({
  id: 'FanoutEvent',
  description: 'An event in the log of a fan-out',
  examples: FANOUT_EVENTS,
})

const runEvent = (type: keyof typeof RUN_DATA) =>
  EventBase.extend({ type: eventType(type), data: RUN_DATA[type] }).meta({
    id: `${eventName(type)}Event`,
    ...extending(EventBase),
    description: `A \`${type}\` event from a run`,
  })
const [first, ...otherEvents] = EVENT_TYPES.map(runEvent)
export const Event = z.discriminatedUnion('type', [first!, ...otherEvents]).meta({
  id: 'Event',
  description: 'A run event',
  examples: EVENTS,
})
