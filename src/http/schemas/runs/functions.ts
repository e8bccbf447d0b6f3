/**
 * Schemas of functions that the client's program performs: their declarations, calls, and results.
 */

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
        'Name of the function: 1 to 64 characters from `A-Z a-z 0-9 _ -`; must not be the ' +
          'name of a built-in tool or start with `mcp__`',
      ),
    description: z.string().max(16_384).optional().describe('Function description for the model'),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'JSON Schema of the arguments, of type object; omitted if the function has no ' +
          'arguments',
      ),
  })
  .meta({
    id: 'FunctionDeclaration',
    description: 'A function that the caller executes',
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
      "Functions that you execute and that the run's model can call, in addition to the " +
        "agent's tools; subagents do not have these functions. On a call, the run waits " +
        '(`waiting_on` is `function`) for `POST /v1/runs/{id}/functions/{call}`',
    )

const FunctionCall = z
  .strictObject({
    call: callId('ID of the call, for `POST /v1/runs/{id}/functions/{call}`'),
    name: text('Name of the function'),
    arguments: z.unknown().describe('Call arguments, as an object that conforms to `parameters`'),
    expires_at: timeOrNull(
      'Time at which the model receives "no result arrived"',
      'the run has other work and the time-out has not started',
    ),
  })
  .meta({
    id: 'FunctionCall',
    description: 'A function call that is waiting for a result',
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
    .describe(
      'Calls to `functions` that are waiting for your results; absent if there are none, ' +
        'and in run lists',
    )

export const FunctionResult = z
  .strictObject({
    output: z
      .unknown()
      .optional()
      .describe(
        'Call result; the model reads a string unchanged, and any other value as JSON. At ' +
          `most ${LIMITS.tool_result_bytes} bytes`,
      ),
    error: z
      .string()
      .max(LIMITS.tool_result_bytes)
      .optional()
      .describe("Reason why there is no result; the model reads it as the call's error"),
  })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined), {
    message: 'Exactly one of output and error is required.',
    path: ['output'],
  })
  .meta({
    id: 'FunctionResult',
    description: 'Result of a call: exactly one of `output` and `error`',
    examples: FUNCTION_RESULTS,
  })
export type FunctionResult = z.output<typeof FunctionResult>
