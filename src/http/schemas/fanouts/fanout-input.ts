/** The input of a fan-out: its tasks, pages of them, and the seal after the last page. */

import * as z from 'zod'
import { TERMINAL_FANOUT_FACTS } from '../../../core/fanout/facts.ts'
import { LIMITS } from '../../../core/limits.ts'
import { LimitsInput, toolLists } from '../../../core/run/request.ts'
import {
  agent,
  approvals,
  beginShape,
  JoinInput,
  label,
  onDuplicate,
  runShape,
  strict,
  webhookShape,
} from '../runs/run-input.ts'
import { content } from '../shared/content.ts'
import { FANOUT_INPUTS, PAGE_INPUTS, SEAL_INPUTS } from '../shared/examples.ts'

const text = (max: number) => z.string().max(max)

const TaskInput = z.strictObject({
  task: content('Task for the agent'),
  agent: agent(),
  label: label(),
  context: z.string().optional().describe('Background that precedes the task; tasks can share it'),
  role: text(64).optional().describe('Default: a `[role]` prefix of the label, else of the task'),
  repo_dir: text(512).optional().describe('Key prefix without leading slash, such as `repos/app`'),
  tools: toolLists.tools,
  disallowed_tools: toolLists.disallowed_tools,
  ...runShape,
  timeout_seconds: LimitsInput.shape.timeout_seconds.describe(
    'Running time of this task in seconds. Default: that of the agent, else ' +
      `${LIMITS.run_timeout_seconds_default}`,
  ),
  model_patience_seconds: LimitsInput.shape.model_patience_seconds,
})

const tasks = z.array(TaskInput).max(LIMITS.children_per_run)
const most = LIMITS.tasks_per_fanout.toLocaleString('en')

export const PageInput = z
  .strictObject({
    page: z
      .int()
      .min(0)
      .max(LIMITS.fanout_pages - 1)
      .refine((page) => !Object.is(page, -0), 'Must not be minus zero')
      .describe(
        'Number of the page, from 0. Adding a page twice counts once, and pages can arrive in ' +
          'any order',
      ),
    tasks: tasks.min(1).describe('The first task has the index `page` times 1,000'),
  })
  .meta({
    id: 'FanoutPageInput',
    description: 'Some of the tasks of an open fan-out',
    examples: PAGE_INPUTS,
  })

export const SealInput = z
  .strictObject({
    pages: z
      .int()
      .min(0)
      .max(LIMITS.fanout_pages)
      .refine((pages) => !Object.is(pages, -0), 'Must not be minus zero')
      .describe('Total number of pages; pages 0 to `pages` - 1 must have arrived'),
  })
  .meta({
    id: 'FanoutSealInput',
    description: 'States that all pages were added',
    examples: SEAL_INPUTS,
  })

const WEBHOOK_EVENTS = [
  'fanout.created',
  ...TERMINAL_FANOUT_FACTS,
  'subagent.spawned',
  'subagent.announced',
  'subagent.failed',
  'approval.requested',
  'question.asked',
  'question.answered',
] as const

export const FanoutInput = z
  .strictObject({
    tasks: tasks
      .optional()
      .describe(
        'Each task is a run of its own; with an empty list the fan-out ends at once. Required ' +
          'unless `open` is true',
      ),
    open: z
      .boolean()
      .optional()
      .describe(
        `Tasks follow in pages (POST /v1/fanouts/{id}/tasks), up to ${most}, until it is ` +
          'sealed; it waits for all of them. It fails after a day without a page',
      ),
    label: label(),
    metadata: runShape.metadata,
    limits: z
      .strictObject({
        max_tokens: LimitsInput.shape.max_tokens.describe('For all its runs together'),
        max_model_calls: LimitsInput.shape.max_model_calls.describe('For all its runs together'),
        max_cost_usd: LimitsInput.shape.max_cost_usd.describe(
          'In US dollars for all its runs together; models without a price are refused',
        ),
      })
      .optional()
      .describe(
        'Budget of all its runs. Each run gets a share when it starts and returns what it ' +
          'does not spend; tasks for which nothing is left do not start. The closing run gets ' +
          'the rest, and at least one call',
      ),
    join: JoinInput.optional().describe('`deadline_seconds` counts from the creation'),
    then: z
      .strictObject({
        agent: agent(),
        input: content('Task of the closing run (the results follow as a second message)'),
      })
      .optional()
      .describe('Closing run that gets all results when they are complete'),
    webhook: z
      .strictObject({
        ...webhookShape,
        events: z
          .array(z.enum(WEBHOOK_EVENTS))
          .min(1)
          .max(20)
          .optional()
          .describe(
            'Event types to send; default: fanout.completed, fanout.failed, fanout.cancelled',
          ),
      })
      .optional()
      .describe("Webhook for this fan-out, in addition to the tenant's endpoints"),
    approvals: approvals('the fan-out'),
    ...beginShape,
    strict: strict(),
    on_duplicate: onDuplicate(),
  })
  .meta({ id: 'FanoutInput', description: 'A fan-out to be created', examples: FANOUT_INPUTS })
