/** Functions that the program of a caller performs: declared with a run, called, and answered. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { FUNCTION_RESULTS } from '../shared/examples.ts'
import { callId, text, timeOrNull } from '../shared/words.ts'

const FunctionDeclaration = z
  .strictObject({
    name: z
      .string()
      .max(64)
      .describe(
        '1 to 64 of `A-Z a-z 0-9 _ -`; not the name of a built-in tool, and without `mcp__`',
      ),
    description: z.string().max(16_384).optional().describe('Description for the model'),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema of the arguments, of type object; omitted: it takes none'),
  })
  .meta({
    id: 'FunctionDeclaration',
    description: 'A function that the caller performs',
    examples: [
      {
        name: 'stock',
        description: 'Number of items in stock',
        parameters: {
          type: 'object',
          properties: { sku: { type: 'string' } },
          required: ['sku'],
        },
      },
    ],
  })

export const functions = () =>
  z
    .array(FunctionDeclaration)
    .max(LIMITS.caller_tools)
    .optional()
    .describe(
      'Functions of your program that the model of this run can call, in addition to the ' +
        'tools of its agent; its subagents do not have them. At a call the run waits ' +
        '(`waiting_on` is `function`) for `POST /v1/runs/{id}/functions/{call}`',
    )

const FunctionCall = z
  .strictObject({
    call: callId('ID of the call, for `POST /v1/runs/{id}/functions/{call}`'),
    name: text('Name of the function'),
    arguments: z.unknown().describe('An object that conforms to `parameters`'),
    expires_at: timeOrNull(
      'When the model receives "no result arrived"',
      'the run has other work, and the time does not count yet',
    ),
  })
  .meta({
    id: 'FunctionCall',
    description: 'A call that waits for its result',
    examples: [
      {
        call: 'call_4zqf3wq8v2m1n6t7r5y9k0c2bd',
        name: 'stock',
        arguments: { sku: 'MUG-7' },
        expires_at: '2026-11-25T09:12:00.000Z',
      },
    ],
  })

export const functionCalls = () =>
  z
    .array(FunctionCall)
    .optional()
    .describe('Calls of `functions` that wait for you; absent: none. Lists of runs omit them')

export const FunctionResult = z
  .strictObject({
    output: z
      .unknown()
      .optional()
      .describe(
        'The result: the model reads a text unchanged, anything else as JSON; at most ' +
          `${LIMITS.tool_result_bytes} bytes`,
      ),
    error: z
      .string()
      .max(LIMITS.tool_result_bytes)
      .optional()
      .describe('Why there is none; the model reads it as the failure of its call'),
  })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined), {
    message: 'Either an output or an error is required.',
    path: ['output'],
  })
  .meta({
    id: 'FunctionResult',
    description: 'Exactly one of `output` and `error`',
    examples: FUNCTION_RESULTS,
  })
export type FunctionResult = z.output<typeof FunctionResult>
