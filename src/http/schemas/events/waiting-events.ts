/** Data of events of a run that parks, resumes, or waits for a model that is unavailable. */

import * as z from 'zod'
import { WAITING_ON } from '../runs/runs.ts'
import { RunError } from '../shared/common.ts'
import { count, runStep, text, time, timeOrNull } from '../shared/words.ts'

export const WAITING_DATA = {
  'run.waiting': z
    .strictObject({
      on: z.enum(WAITING_ON).describe('Cause of the wait'),
      until: timeOrNull(
        'When the wait ends by itself; for `model`, the time of the next attempt',
        'it does not',
      ),
      stopped: z
        .literal(true)
        .optional()
        .describe(
          'With `subagents` that all wait for people or a model: the running time is paused',
        ),
      step: z.int().optional().describe('With `model`: the step, from 0'),
      attempt: z.int().optional().describe('With `model`: the failed attempt, from 1'),
      error: RunError.optional().describe('With `model`: the failure'),
      since: time('With `model`: start of the outage').optional(),
      gives_up_at: time('With `model`: end of the patience').optional(),
    })
    .describe('A run waits and occupies no process'),
  'run.resumed': z
    .strictObject({
      history: z
        .array(z.string())
        .optional()
        .describe("When it gets the turn of a session: digests of the transcript's segments"),
      by: z.literal('api').optional().describe('A client requested a retry'),
    })
    .describe('A run no longer waits'),
  'budget.reached': z
    .strictObject({
      step: runStep('Index of the next answer'),
      limit: z.enum(['max_tokens', 'max_cost_usd']).describe('The limit that prevents the call'),
      needed: z
        .number()
        .describe('Minimum that the call needs: tokens, or dollars according to the prices'),
      left: z.number().describe('Remaining share, in the same unit'),
    })
    .describe(
      'The next model call exceeds the share that the parent gave; it is made only if ' +
        'children return some of theirs',
    ),
  'model.unavailable': z
    .strictObject({
      model: text('`provider/model`'),
      step: runStep('Index of the next answer'),
      since: time('Time of the first failed attempt'),
      gives_up_at: time('End of the patience, when the run fails').optional(),
      error: RunError.describe('The last failure'),
    })
    .describe('Two consecutive attempts of a step failed; sent once per outage'),
  'model.recovered': z
    .strictObject({
      model: text('`provider/model`'),
      step: runStep('Index of the delayed answer'),
      since: time('Time of the first failed attempt'),
      duration_ms: count('Duration of the outage'),
      attempts: count('Number of failed attempts'),
    })
    .describe('The model answered after an outage'),
} as const
