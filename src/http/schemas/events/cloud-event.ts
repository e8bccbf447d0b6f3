/** Schema of a webhook body as a CloudEvent 1.0 in structured mode. */

import * as z from 'zod'
import { CLOUDEVENTS_SOURCE, CONTENT_TYPES } from '../../../core/webhook/format.ts'
import { CLOUD_EVENTS } from '../shared/examples.ts'
import { idOf, text, time } from '../shared/words.ts'

export const CloudEvent = z
  .strictObject({
    specversion: z.literal('1.0').describe('CloudEvents specification version'),
    id: idOf('evt', 'ID of the event, derived from its run and `seq`; use it to detect duplicates'),
    source: z.literal(CLOUDEVENTS_SOURCE).describe('Source of the event, the same for all events'),
    type: text('Type of the event; `data` contains the same value'),
    subject: text(
      'ID of the run or fan-out; for tenant events, ID of the session, schedule, or ' + 'endpoint',
    ).optional(),
    time: time('Time of the event'),
    datacontenttype: z.literal(CONTENT_TYPES.standard).describe('Media type of `data`'),
    data: z
      .looseObject({})
      .describe('The event, equal to `data` in the `WebhookBody` of this type'),
  })
  .meta({
    id: 'CloudEvent',
    description: 'Webhook body in the `cloudevents` format',
    examples: CLOUD_EVENTS,
  })
