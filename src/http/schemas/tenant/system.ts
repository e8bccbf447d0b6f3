/** The identity and the limits of this deployment. */

import * as z from 'zod'
import { LIMIT_TABLE } from '../../../core/limits.ts'
import { toolSchema } from '../layers/run-config.ts'
import { text } from '../shared/words.ts'

const { steps_max, live_children } = LIMIT_TABLE

export const Tool = z
  .strictObject({
    name: text('Name as models see it'),
    description: text('Purpose of the tool, as shown to models'),
    mode: z
      .enum(['once', 'repeatable', 'write', 'spawn', 'question'])
      .describe(
        '`once`: never repeated. `repeatable`: may be repeated after a crash. `write`: a file ' +
          'write that happens once. `spawn`: starts a subagent. `question`: waits for an answer',
      ),
    aliases: z
      .array(z.string())
      .describe('Names of the tool in other products; agent files can use any of them'),
    needs_approval: z
      .boolean()
      .describe("Whether each call requires an approval unless the tenant's policy says otherwise"),
    user_facing: z
      .boolean()
      .describe('Whether an agent with `visibility: user-facing` can have it'),
    condition: z
      .string()
      .nullable()
      .describe('Why a run that is granted the tool may lack it; null: it never does'),
    unavailable: z
      .string()
      .nullable()
      .describe('Why this deployment cannot perform it; null: it can'),
    input_schema: toolSchema(),
  })
  .meta({
    id: 'Tool',
    description: 'A built-in tool',
    examples: [
      {
        name: 'file_read',
        description: 'Reads a text file.',
        mode: 'repeatable',
        aliases: ['Read', 'read_file'],
        needs_approval: false,
        user_facing: true,
        condition: null,
        unavailable: null,
        input_schema: {
          type: 'object',
          properties: { path: { type: 'string' } },
          required: ['path'],
        },
      },
    ],
  })

const Limit = z
  .strictObject({
    value: z.number().describe('Value; the name states the unit, otherwise it is a count'),
    reason: text('Reason for the value'),
  })
  .meta({ id: 'Limit', description: 'A limit of this deployment' })
export const Limits = z
  .record(z.string(), Limit)
  .meta({ description: 'Limits by name', examples: [{ steps_max, live_children }] })

export const Health = z
  .strictObject({ status: text('Always `ok`: the process responds') })
  .meta({ examples: [{ status: 'ok' }] })

export const Readiness = z
  .strictObject({
    status: text('Always `ready`: storage responds'),
    clock: z
      .strictObject({
        ticked_seconds_ago: z
          .int()
          .min(0)
          .nullable()
          .describe(
            'Seconds since the clock last completed a tick, which it does once a minute; null: ' +
              'never',
          ),
        oldest_due_seconds: z
          .int()
          .min(0)
          .nullable()
          .describe(
            'How late the oldest due run was at that time; null where each run has its own alarm ' +
              '(Cloudflare), or before the first tick',
          ),
      })
      .describe('The clock that wakes due runs'),
  })
  .meta({
    examples: [{ status: 'ready', clock: { ticked_seconds_ago: 21, oldest_due_seconds: 0 } }],
  })

export const clockWithin = z.coerce
  .number()
  .int()
  .min(120)
  .max(86_400)
  .optional()
  .describe(
    'Respond with 503 also when the clock has not ticked for this many seconds, or was ' +
      'this late; for monitors that evaluate the status only',
  )
