/** The data of the events of a run, by type. */

import * as z from 'zod'
import type { FactType } from '../../../core/run/log/facts.ts'
import { askedBy, decidedBy, decisions, path } from '../runs/approvals.ts'
import { QUESTION_DATA } from '../runs/questions.ts'
import { structured } from '../runs/runs.ts'
import { RunError, Usage, Warning, warnings } from '../shared/common.ts'
import {
  Announce,
  allotment,
  body,
  bodyOrNull,
  Part,
  price,
  StructuredOutput,
  schemaError,
} from '../shared/event-parts.ts'
import { answerModels, startedModels } from '../shared/models.ts'
import {
  agentName,
  callId,
  count,
  idOf,
  labelOrNull,
  runStep,
  sha256Of,
  spawnCall,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'
import { MEMORY_DATA, startMemory } from './memory-events.ts'
import { WAITING_DATA } from './waiting-events.ts'

const tool = () => text('The tool, as the model sees it')
const MODES =
  '`once`: never repeated, `repeatable`: may be repeated, `write`: a write of a file that is ' +
  'done once'
const reason = () => textOrNull('The reason that was given; null: none')
const told = () => z.strictObject({ call: spawnCall(), announce: Announce })

export const RUN_DATA = {
  'run.created': z
    .looseObject({
      id: idOf('run', 'The run'),
      kind: text('`main`, `subagent`, `hook` or `schedule`'),
      agent: agentName('The agent that was asked for'),
    })
    .describe('The run as it was requested, with all its parameters'),
  'run.started': z
    .strictObject({
      agent: agentName('The agent that it is'),
      model: text('`provider/model`'),
      window: count("The model's context window in tokens"),
      config_digest: sha256Of('the resolved configuration, for `POST /v1/resolve/diff`'),
      max_steps: count('Maximum number of model answers'),
      timeout_seconds: z
        .number()
        .describe('Running time in seconds, without waits for people or for a model'),
      model_patience_seconds: count(
        'How long it waits for a model that is unavailable, in seconds; 0: three attempts',
      ),
      price: price(),
      ...startedModels,
      memory: startMemory(),
      structured_output: StructuredOutput.optional(),
      began_at: time('When work began; the event may be written later').optional(),
      warnings: warnings(
        Warning,
        'Layers, servers and tools that are missing or differ from the request',
      ),
    })
    .describe('The configuration that was fixed at the start'),
  ...WAITING_DATA,
  'assistant.message': z
    .strictObject({
      step: runStep('Index of the answer'),
      seen: count('Number of messages and results that the model had seen'),
      parts: z.array(Part).describe('Its texts and tool calls, in order'),
      calls: z
        .array(
          z.strictObject({
            id: callId(),
            tool: tool(),
            mode: z
              .enum(['once', 'repeatable', 'write', 'spawn', 'question', 'caller', 'refused'])
              .describe(
                `${MODES}, \`spawn\`: starts a subagent, \`caller\`: its caller brings the ` +
                  'result, `refused`: not performed',
              ),
            refusal: z.string().optional().describe('Why it is refused, as the model reads it'),
            mended: z.string().optional().describe('How it differs from what the model wrote'),
            ask: z.string().optional().describe('A person is asked first; by whose rule'),
          }),
        )
        .describe('The treatment of each tool call'),
      finish: z
        .enum(['stop', 'calls', 'length', 'refusal', 'other'])
        .describe('Why the model stopped; `length`: the answer was cut off'),
      model: text('`provider/model` that answered'),
      usage: Usage.describe('Of this call of the model'),
      prompt_bytes: count(
        'Size of the prompt; only under a budget of tokens or dollars',
      ).optional(),
      budget_output_tokens: count(
        'The longest answer that the budget allowed (`max_output_tokens`); absent: it set no bound',
      ).optional(),
      began_at: time('When the model was asked; only where traces are exported').optional(),
      duration_ms: count('How long it took; only where traces are exported').optional(),
      ...answerModels,
      structured: structured().optional(),
      schema_error: schemaError(),
      structured_output: StructuredOutput.optional().describe(
        'The provider has refused the schema, which then went into the prompt',
      ),
    })
    .describe('A finished answer of the model'),
  'tool.call': z
    .strictObject({
      call: callId(),
      tool: tool(),
      mode: z.enum(['once', 'repeatable', 'write']).describe(MODES),
      write: z
        .strictObject({
          before: textOrNull('The etag of the file before; null: there was none'),
          after: sha256Of('the file afterwards'),
        })
        .optional()
        .describe('The file before and after the write'),
    })
    .describe('A call is about to be performed'),
  'tool.result': z
    .strictObject({
      call: callId(),
      tool: tool(),
      status: z
        .enum(['ok', 'error', 'unknown'])
        .describe('`unknown`: the call was sent, and its outcome is not known'),
      text: body('The result as the model sees it; of a subagent, its answer alone'),
      duration_ms: z.number().describe('Milliseconds that it took'),
      began_at: time('When it began; only where traces are exported').optional(),
      attachments: z
        .array(z.string())
        .optional()
        .describe('Keys of files that the run attaches to its output'),
      found: z
        .array(z.string())
        .optional()
        .describe('Deferred tools that it has found: the model is shown them from now on'),
    })
    .describe('The result of a tool call'),
  ...MEMORY_DATA,
  'skill.activated': z
    .strictObject({
      skill: text('The name of the skill'),
      by: z.enum(['model', 'user']).describe('`user`: `/name` at the start of the input'),
      file_digest: sha256Of('its SKILL.md'),
      call: textOrNull('The tool call that opened it; null: it was activated by hand'),
      args: text('Arguments after the name; empty: none'),
      text: bodyOrNull(
        'Text that entered the transcript, when activated by a person',
        'the tool call has it',
      ),
    })
    .describe('A skill was opened'),
  'assistant.discarded': z
    .strictObject({
      step: runStep('The answer that was asked for'),
      model: z.string().describe('Model that was called; empty: an excerpt was made instead'),
      usage: Usage.describe('Usage of the discarded answer'),
    })
    .describe('An answer of a model was discarded; its usage counts'),
  'clock.stepped': z
    .strictObject({
      ms: z
        .int()
        .describe('Milliseconds by which the wall clock jumped; they do not count as running time'),
      to: time('Time on the clock afterwards'),
    })
    .describe('The wall clock jumped forward, or no process was running'),
  'approval.requested': z
    .strictObject({
      id: text('The approval: `apr_` and 52 characters'),
      call: callId('The tool call that waits'),
      tool: tool(),
      arguments: body('JSON text as the model wrote it'),
      args_hash: sha256Of('the arguments'),
      reason: askedBy(),
      expires_at: time('Until when it can be decided'),
      path: path(),
    })
    .describe('A person is asked'),
  'approval.decided': z
    .strictObject({
      id: text('The approval: `apr_` and 52 characters'),
      call: callId('The tool call that waited'),
      decision: decisions(),
      by: decidedBy(),
      reason: reason(),
      arguments: body('JSON text that was approved instead, values hidden').optional(),
    })
    .describe('An approval was decided, or it expired'),
  ...QUESTION_DATA,
  'subagent.spawned': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'The subagent'),
      session_id: idOf('ses', 'Its session'),
      agent: agentName(),
      label: labelOrNull(),
      lane: text('The queue that it is scheduled in: `subagent`, for the closing run `main`'),
      task: text('The first 200 characters of its task'),
      allotment: allotment(),
      wait: z.literal(true).optional().describe('Its end will answer the call'),
      missing: z
        .array(z.string())
        .optional()
        .describe('Skills and servers that its parent has and its own layers have not'),
      warnings: warnings(Warning, 'Problems that it runs with, as found when it was requested'),
    })
    .describe('A subagent was created'),
  'subagent.waiting': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'The subagent'),
      word: count('Order of the notices of this subagent; a lower one is outdated'),
      until: timeOrNull('When its waiting ends by itself', 'it does not'),
      on: z
        .enum(['input', 'model'])
        .optional()
        .describe('`input`: for answers of the user. `model`: for its model. Absent: an approval'),
    })
    .describe('A subagent waits for a person or for its model, itself or through one of its own'),
  'subagent.resumed': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'The subagent'),
      word: count('Order of the notices of this subagent; a lower one is outdated'),
    })
    .describe('That waiting is over'),
  'subagent.announced': told().describe('A subagent completed'),
  'subagent.failed': told().describe('A subagent failed, was cancelled or timed out'),
  'barrier.released': z
    .strictObject({
      calls: z.array(z.string()).describe('Spawn calls whose results join now, in their order'),
      missing: z.array(z.string()).describe('Spawn calls that are no longer waited for'),
      reason: z
        .enum(['joined', 'deadline', 'budget'])
        .describe('`budget`: of a fan-out, whose budget did not suffice for all its tasks'),
    })
    .describe('Subagents are no longer waited for'),
  'cancel.requested': z
    .strictObject({
      by: z
        .enum(['api', 'parent'])
        .describe('`api`: a request. `parent`: the run or fan-out that started it'),
      reason: reason(),
    })
    .describe('Cancellation was requested: no new effect starts'),
  'run.completed': z
    .strictObject({
      stop_reason: z
        .enum(['end_turn', 'max_tokens', 'max_steps', 'budget', 'refusal'])
        .describe('`end_turn`: the model was done; the others are no success by themselves'),
      output: z
        .strictObject({
          text: body('The last answer of the model'),
          structured: structured(),
          attachments: z.array(z.string()).describe('Keys of files attached to the output'),
          schema_error: schemaError(),
        })
        .describe('The final answer'),
    })
    .describe('The end of a run that has an answer'),
  'run.failed': z
    .strictObject({
      stop_reason: z.enum(['error', 'denied']).describe('`denied` is reserved'),
      error: RunError.describe('Why it failed'),
      step: z.int().optional().describe('The step whose model call failed for good, from 0'),
    })
    .describe('The end of a run that could not go on'),
  'run.cancelled': z
    .strictObject({
      stop_reason: z.literal('cancelled').describe('Always `cancelled`'),
      reason: reason(),
    })
    .describe('The end of a run that was cancelled'),
  'run.timed_out': z
    .strictObject({
      stop_reason: z.literal('timeout').describe('Always `timeout`'),
      error: RunError.describe('The limit that was reached'),
    })
    .describe('The end of a run whose time was over'),
} as const satisfies Readonly<Record<FactType, z.ZodType>>
