/** Data schemas of events about runs that park, resume, or wait for an unavailable model. */

import * as z from 'zod'
import { WAITING_ON } from '../runs/runs.ts'
import { RunError } from '../shared/common.ts'
import { count, runStep, text, time, timeOrNull } from '../shared/words.ts'

export const WAITING_DATA = {
  'run.waiting': z
    .strictObject({
      on: z.enum(WAITING_ON).describe('Condition that the run is waiting for'),
      until: timeOrNull(
        'Time at which the wait ends automatically; for `model`, the time of the next attempt',
        'the wait does not end automatically',
      ),
      stopped: z
        .literal(true)
        .optional()
        .describe(
          'Whether the running time is paused; only with `subagents`, if all of them are ' +
            'waiting for people or a model',
        ),
      step: z.int().optional().describe('Step of the model call, from 0; only with `model`'),
      attempt: z
        .int()
        .optional()
        .describe('Number of the failed attempt, from 1; only with `model`'),
      error: RunError.optional().describe('Error from the failed attempt; only with `model`'),
      since: time('Start time of the outage; only with `model`').optional(),
      gives_up_at: time('Time at which the run stops waiting; only with `model`').optional(),
    })
    .describe('A run is waiting and occupies no process'),
  'run.resumed': z
    .strictObject({
      history: z
        .array(z.string())
        .optional()
        .describe(
          "Digests of the transcript's segments; present if the run gets its turn in a session",
        ),
      by: z
        .literal('api')
        .optional()
        .describe('Source of the resumption; present if a client requested a retry'),
    })
    .describe('A run is no longer waiting'),
  'budget.reached': z
    .strictObject({
      step: runStep('Index of the next answer'),
      limit: z.enum(['max_tokens', 'max_cost_usd']).describe('Limit that prevents the call'),
      needed: z
        .number()
        .describe(
          'Minimum amount that the call needs: tokens, or dollars, based on the configured ' +
            'prices',
        ),
      left: z.number().describe('Remaining part of the share, in the same unit'),
    })
    .describe(
      'The next model call exceeds the share allocated by the parent; the call is made only ' +
        'if children return part of their shares',
    ),
  'model.unavailable': z
    .strictObject({
      model: text('`provider/model`'),
      step: runStep('Index of the next answer'),
      since: time('Time of the first failed attempt'),
      gives_up_at: time('Time at which the run stops waiting and fails').optional(),
      error: RunError.describe('Error from the last failed attempt'),
    })
    .describe('Two consecutive attempts in a step failed; sent once per outage'),
  'model.recovered': z
    .strictObject({
      model: text('`provider/model`'),
      step: runStep('Index of the delayed answer'),
      since: time('Time of the first failed attempt'),
      duration_ms: count('Duration of the outage in milliseconds'),
      attempts: count('Number of failed attempts'),
    })
    .describe('The model answered after an outage'),
} as const
