/** Schemas of this deployment's identity and limits. */

import * as z from 'zod'
import { LIMIT_TABLE } from '../../../core/limits.ts'
import { toolSchema } from '../layers/run-config.ts'
import { text } from '../shared/words.ts'

const { steps_max, live_children } = LIMIT_TABLE

export const Tool = z
  .strictObject({
    name: text('Name of the tool, as shown to models'),
    description: text("The tool's purpose, as shown to models"),
    mode: z
      .enum(['once', 'repeatable', 'write', 'spawn', 'question'])
      .describe(
        'Execution mode. `once`: never repeated. `repeatable`: may be repeated after a crash. ' +
          '`write`: a file write that happens once. `spawn`: starts a subagent. `question`: ' +
          'waits for an answer',
      ),
    aliases: z
      .array(z.string())
      .describe('Names of the tool in other products; agent files can use any of these names'),
    needs_approval: z
      .boolean()
      .describe("Whether each call requires an approval unless the tenant's policy says otherwise"),
    user_facing: z
      .boolean()
      .describe('Whether an agent with `visibility: user-facing` can use this tool'),
    condition: z
      .string()
      .nullable()
      .describe(
        'Reason why a run may lack the tool although access is granted; `null` if there is no ' +
          'such reason',
      ),
    unavailable: z
      .string()
      .nullable()
      .describe(
        'Reason why this deployment cannot execute the tool; `null` if the tool is available',
      ),
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
    value: z.number().describe('Limit value, in the unit stated in the name; otherwise, a count'),
    reason: text('Reason for the value'),
  })
  .meta({ id: 'Limit', description: 'A deployment limit' })
export const Limits = z.record(z.string(), Limit).meta({
  description: "This deployment's limits, by name",
  examples: [{ steps_max, live_children }],
})

export const Health = z
  .strictObject({ status: text('Status of the process, always `ok` if the process responds') })
  .meta({ examples: [{ status: 'ok' }] })

export const Readiness = z
  .strictObject({
    status: text('Status of the deployment, always `ready` if storage responds'),
    clock: z
      .strictObject({
        ticked_seconds_ago: z
          .int()
          .min(0)
          .nullable()
          .describe(
            'Time in seconds since the clock last completed a tick, which occurs once a minute; ' +
              '`null` if no tick has completed',
          ),
        oldest_due_seconds: z
          .int()
          .min(0)
          .nullable()
          .describe(
            'Delay in seconds of the oldest due run at the last tick; `null` before the first ' +
              'tick, and where each run has a separate alarm (Cloudflare)',
          ),
      })
      .describe('Clock that wakes due runs'),
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
    'Maximum time in seconds since the last tick, and maximum delay of due runs, above ' +
      'which the response is also 503; for monitors that evaluate only the status',
  )
