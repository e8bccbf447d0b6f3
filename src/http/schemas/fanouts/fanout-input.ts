/** Schemas of fan-out input: tasks, pages of tasks, and the seal after the last page. */

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
import { actsFor } from '../shared/words.ts'

const text = (max: number) => z.string().max(max)

const TaskInput = z.strictObject({
  task: content('Task for the agent'),
  agent: agent(),
  label: label(),
  context: z
    .string()
    .optional()
    .describe(
      'Background information that precedes the task; several tasks can share the same ' +
        'context',
    ),
  role: text(64)
    .optional()
    .describe(
      'Role for the task. Defaults to a `[role]` prefix in the label or, if there is none, ' +
        'in the task',
    ),
  repo_dir: text(512)
    .optional()
    .describe('Repository folder, as a key prefix without a leading slash, such as `repos/app`'),
  tools: toolLists.tools,
  disallowed_tools: toolLists.disallowed_tools,
  ...runShape,
  timeout_seconds: LimitsInput.shape.timeout_seconds.describe(
    "Maximum running time of this task in seconds. Defaults to the agent's limit, " +
      `otherwise ${LIMITS.run_timeout_seconds_default}`,
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
      .refine((page) => !Object.is(page, -0), 'The value must not be negative zero')
      .describe(
        'Number of the page, from 0. Repeating a page has no effect, and pages can arrive in ' +
          'any order',
      ),
    tasks: tasks
      .min(1)
      .describe('Tasks in the page. The index of the first task is `page` times 1,000'),
  })
  .meta({
    id: 'FanoutPageInput',
    description: 'A page of tasks for an open fan-out',
    examples: PAGE_INPUTS,
  })

export const SealInput = z
  .strictObject({
    pages: z
      .int()
      .min(0)
      .max(LIMITS.fanout_pages)
      .refine((pages) => !Object.is(pages, -0), 'The value must not be negative zero')
      .describe('Total number of pages. Pages 0 to `pages` - 1 must have arrived'),
  })
  .meta({
    id: 'FanoutSealInput',
    description: 'A declaration that all pages were added',
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
        'Tasks in the fan-out, each a separate run; if there are none, the fan-out ends ' +
          'immediately. Required unless `open` is true',
      ),
    open: z
      .boolean()
      .optional()
      .describe(
        `Whether tasks are added in pages (POST /v1/fanouts/{id}/tasks), up to ${most}, until ` +
          'the fan-out is sealed. The fan-out waits for all tasks, and fails after one day ' +
          'without a new page',
      ),
    label: label(),
    metadata: runShape.metadata,
    subject: actsFor('the fan-out'),
    limits: z
      .strictObject({
        max_tokens: LimitsInput.shape.max_tokens.describe(
          'Maximum for all runs in the fan-out combined',
        ),
        max_model_calls: LimitsInput.shape.max_model_calls.describe(
          'Maximum for all runs in the fan-out combined',
        ),
        max_cost_usd: LimitsInput.shape.max_cost_usd.describe(
          'Maximum cost in US dollars for all runs in the fan-out combined; models without a ' +
            'price are rejected',
        ),
      })
      .optional()
      .describe(
        'Budget for all runs in the fan-out. Each run gets a share when it starts and returns ' +
          'the unused part; tasks do not start if no budget remains. The closing run gets the ' +
          'remaining budget, and at least one call',
      ),
    join: JoinInput.optional().describe(
      'Join policy; `deadline_seconds` starts when the fan-out is created',
    ),
    then: z
      .strictObject({
        agent: agent(),
        input: content('Task for the closing run; the results follow as a second message'),
      })
      .optional()
      .describe('Closing run, which receives all results when they are complete'),
    webhook: z
      .strictObject({
        ...webhookShape,
        events: z
          .array(z.enum(WEBHOOK_EVENTS))
          .min(1)
          .max(20)
          .optional()
          .describe(
            'Event types to send; defaults to fanout.completed, fanout.failed, and ' +
              'fanout.cancelled',
          ),
      })
      .optional()
      .describe("Webhook for this fan-out, in addition to the tenant's endpoints"),
    approvals: approvals('the fan-out'),
    ...beginShape,
    strict: strict(),
    on_duplicate: onDuplicate(),
  })
  .meta({ id: 'FanoutInput', description: 'A fan-out to create', examples: FANOUT_INPUTS })
