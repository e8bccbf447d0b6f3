/** The identity and the limits of this deployment. */

import * as z from 'zod'
import { LIMIT_TABLE } from '../../core/limits.ts'
import { toolSchema } from './run-config.ts'
import { text } from './words.ts'

const { steps_max, live_children } = LIMIT_TABLE

export const Tool = z
  .strictObject({
    name: text('Its name, as models see it'),
    description: text('Purpose of the tool, as shown to models'),
    mode: z
      .enum(['once', 'repeatable', 'write', 'spawn'])
      .describe(
        '`once`: never repeated. `repeatable`: may be repeated after a crash. ' +
          '`write`: a write of ' +
          'a file that is done once. `spawn`: starts a subagent',
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
    value: z.number().describe('The bound; its name says the unit, else it counts'),
    reason: text('Why it is as it is'),
  })
  .meta({ id: 'Limit', description: 'One bound of this deployment' })
export const Limits = z
  .record(z.string(), Limit)
  .meta({ description: 'Bounds by name', examples: [{ steps_max, live_children }] })

export const Health = z
  .strictObject({ status: text('Always `ok`: the process answers') })
  .meta({ examples: [{ status: 'ok' }] })

export const Readiness = z
  .strictObject({ status: text('Always `ready`: the storage answers') })
  .meta({ examples: [{ status: 'ready' }] })
