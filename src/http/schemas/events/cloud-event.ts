/** The body of a webhook as a CloudEvent 1.0 in structured mode. */

import * as z from 'zod'
import { CLOUDEVENTS_SOURCE, CONTENT_TYPES } from '../../../core/webhook/format.ts'
import { CLOUD_EVENTS } from '../shared/examples.ts'
import { idOf, text, time } from '../shared/words.ts'

export const CloudEvent = z
  .strictObject({
    specversion: z.literal('1.0').describe('The version of CloudEvents'),
    id: idOf('evt', 'The event, made of its run and `seq`: what came before has this id'),
    source: z.literal(CLOUDEVENTS_SOURCE).describe('The same for all events'),
    type: text('The type of the event, as in `data`'),
    subject: text(
      "The run or fan-out; of the tenant's own events the session, schedule or endpoint",
    ).optional(),
    time: time('When it happened'),
    datacontenttype: z.literal(CONTENT_TYPES.standard).describe('Of `data`'),
    data: z.looseObject({}).describe('The event: `data` of the `WebhookBody` of this type'),
  })
  .meta({
    id: 'CloudEvent',
    description: 'The body of a webhook of the format `cloudevents`',
    examples: CLOUD_EVENTS,
  })
