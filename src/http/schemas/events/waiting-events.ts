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
        'When the wait ends by itself; on `model`: the time of the next attempt',
        'it does not',
      ),
      stopped: z
        .literal(true)
        .optional()
        .describe(
          'With `subagents` that all wait for people or a model: the running time is paused',
        ),
      step: z.int().optional().describe('With `model`: the step, counted from 0'),
      attempt: z.int().optional().describe('With `model`: the attempt that failed, from 1'),
      error: RunError.optional().describe('With `model`: why it failed'),
      since: time('With `model`: the start of the outage').optional(),
      gives_up_at: time('With `model`: the end of the patience').optional(),
    })
    .describe('The run waits and holds no process'),
  'run.resumed': z
    .strictObject({
      history: z
        .array(z.string())
        .optional()
        .describe("With the turn of a session: digests of its transcript's segments"),
      by: z.literal('api').optional().describe('A client requested a retry'),
    })
    .describe('The waiting is over'),
  'budget.reached': z
    .strictObject({
      step: runStep('Index of the answer that is due'),
      limit: z.enum(['max_tokens', 'max_cost_usd']).describe('The limit that is in the way'),
      needed: z
        .number()
        .describe('The least that the call takes: tokens, or dollars by the list of prices'),
      left: z.number().describe('What is left of its share, in the same unit'),
    })
    .describe(
      'The next call of the model does not fit into the share that the parent gave; it is not ' +
        'made unless children give something back',
    ),
  'model.unavailable': z
    .strictObject({
      model: text('`provider/model`'),
      step: runStep('Index of the answer that is due'),
      since: time('When the first attempt failed'),
      gives_up_at: time('The end of the patience, when the run fails').optional(),
      error: RunError.describe('The last failure'),
    })
    .describe('Two consecutive attempts of a step have failed; sent once per outage'),
  'model.recovered': z
    .strictObject({
      model: text('`provider/model`'),
      step: runStep('Index of the answer that was due'),
      since: time('When the first attempt failed'),
      duration_ms: count('Duration of the outage'),
      attempts: count('Attempts that have failed'),
    })
    .describe('The model has answered after an outage'),
} as const
