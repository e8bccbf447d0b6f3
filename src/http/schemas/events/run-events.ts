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
  '`once`: never repeated. `repeatable`: may be repeated. `write`: a file write that ' +
  'happens once'
const reason = () => textOrNull('The given reason; null: none')
const announcement = () => z.strictObject({ call: spawnCall(), announce: Announce })

export const RUN_DATA = {
  'run.created': z
    .looseObject({
      id: idOf('run', 'The run'),
      kind: text('`main`, `subagent`, `hook` or `schedule`'),
      agent: agentName('The requested agent'),
    })
    .describe('A run was requested, with all its parameters'),
  'run.started': z
    .strictObject({
      agent: agentName('The resolved agent'),
      model: text('`provider/model`'),
      window: count("The model's context window in tokens"),
      config_digest: sha256Of('the resolved configuration, for `POST /v1/resolve/diff`'),
      max_steps: count('Maximum number of model answers'),
      timeout_seconds: z
        .number()
        .describe('Running time in seconds, excluding waits for people or for a model'),
      model_patience_seconds: count(
        'How long it waits for an unavailable model, in seconds; 0: three attempts',
      ),
      price: price(),
      ...startedModels,
      memory: startMemory(),
      structured_output: StructuredOutput.optional(),
      began_at: time('Start of the work; the event can be written later').optional(),
      warnings: warnings(
        Warning,
        'Layers, servers, and tools that are missing or differ from the request',
      ),
    })
    .describe('A run started; its configuration is fixed'),
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
                `${MODES}. \`spawn\`: starts a subagent. \`caller\`: the caller returns the result. ` +
                  '`refused`: not performed',
              ),
            refusal: z
              .string()
              .optional()
              .describe('The reason for the refusal, as the model reads it'),
            mended: z.string().optional().describe('How it differs from what the model wrote'),
            ask: z.string().optional().describe('Requires an approval; the rule that says so'),
          }),
        )
        .describe('How each tool call is handled'),
      finish: z
        .enum(['stop', 'calls', 'length', 'refusal', 'other'])
        .describe('Why the model stopped; `length`: the answer was cut off'),
      model: text('Model that answered, as `provider/model`'),
      usage: Usage.describe('Usage of this model call'),
      prompt_bytes: count('Size of the prompt; only with a budget of tokens or dollars').optional(),
      budget_output_tokens: count(
        'Bound of the answer by the budget (`max_output_tokens`); absent: none',
      ).optional(),
      began_at: time('Start of the model call; only when traces are exported').optional(),
      duration_ms: count('Duration of the model call; only when traces are exported').optional(),
      ...answerModels,
      structured: structured().optional(),
      schema_error: schemaError(),
      structured_output: StructuredOutput.optional().describe(
        'The provider rejected the schema, which was then added to the prompt',
      ),
    })
    .describe('A model finished an answer'),
  'tool.call': z
    .strictObject({
      call: callId(),
      tool: tool(),
      mode: z.enum(['once', 'repeatable', 'write']).describe(MODES),
      write: z
        .strictObject({
          before: textOrNull('ETag of the previous file; null: there was none'),
          after: sha256Of('the new file'),
        })
        .optional()
        .describe('The file before and after the write'),
    })
    .describe('A tool call is about to be performed'),
  'tool.result': z
    .strictObject({
      call: callId(),
      tool: tool(),
      status: z
        .enum(['ok', 'error', 'unknown'])
        .describe('`unknown`: the call was sent, and its outcome is not known'),
      text: body('The result as the model sees it; for a subagent, its answer only'),
      duration_ms: z.number().describe('Duration in milliseconds'),
      began_at: time('Start of the call; only when traces are exported').optional(),
      attachments: z
        .array(z.string())
        .optional()
        .describe('Keys of files that the run attaches to its output'),
      found: z
        .array(z.string())
        .optional()
        .describe('Deferred tools that it found; the model is shown them from now on'),
    })
    .describe('A tool call has a result'),
  ...MEMORY_DATA,
  'skill.activated': z
    .strictObject({
      skill: text('Name of the skill'),
      by: z.enum(['model', 'user']).describe('`user`: `/name` at the start of the input'),
      file_digest: sha256Of('its SKILL.md'),
      call: textOrNull('The tool call that opened it; null: a person activated it'),
      args: text('Arguments after the name; empty: none'),
      text: bodyOrNull(
        'Text that was added to the transcript when a person activated it',
        'the tool call has it',
      ),
    })
    .describe('A skill was opened'),
  'assistant.discarded': z
    .strictObject({
      step: runStep('Index of the requested answer'),
      model: z.string().describe('Model that was called; empty: an excerpt was made instead'),
      usage: Usage.describe('Usage of the discarded answer'),
    })
    .describe('An answer of a model was discarded; its usage counts'),
  'clock.stepped': z
    .strictObject({
      ms: z
        .int()
        .describe('Jump of the wall clock in milliseconds, which does not count as running time'),
      to: time('Time after the jump'),
    })
    .describe('The wall clock jumped forward, or no process was running'),
  'approval.requested': z
    .strictObject({
      id: text('ID of the approval: `apr_` and 52 characters'),
      call: callId('The tool call that waits'),
      tool: tool(),
      arguments: body('Arguments as JSON text, as the model wrote it'),
      args_hash: sha256Of('the arguments'),
      reason: askedBy(),
      expires_at: time('Deadline of the decision'),
      path: path(),
    })
    .describe('An approval was requested'),
  'approval.decided': z
    .strictObject({
      id: text('ID of the approval: `apr_` and 52 characters'),
      call: callId('The tool call that waited'),
      decision: decisions(),
      by: decidedBy(),
      reason: reason(),
      arguments: body('JSON text that was approved instead, with values hidden').optional(),
    })
    .describe('An approval was decided or has expired'),
  ...QUESTION_DATA,
  'subagent.spawned': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'The subagent'),
      session_id: idOf('ses', 'Its session'),
      agent: agentName(),
      label: labelOrNull(),
      lane: text('The lane that it is scheduled in: `subagent`, or `main` for the closing run'),
      task: text('The first 200 characters of its task'),
      allotment: allotment(),
      wait: z.literal(true).optional().describe('Its end returns the result of the call'),
      missing: z
        .array(z.string())
        .optional()
        .describe('Skills and servers of its parent that its own layers lack'),
      warnings: warnings(Warning, 'Problems found when it was requested'),
    })
    .describe('A subagent was spawned'),
  'subagent.waiting': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'The subagent'),
      word: count('Order of the notices of this subagent; a lower one is outdated'),
      until: timeOrNull('When its wait ends by itself', 'it does not'),
      on: z
        .enum(['input', 'model'])
        .optional()
        .describe(
          '`input`: waits for an answer of the user. `model`: waits for its model. Absent: ' +
            'waits for an approval',
        ),
    })
    .describe('A subagent, or one below it, waits for a person or for its model'),
  'subagent.resumed': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'The subagent'),
      word: count('Order of the notices of this subagent; a lower one is outdated'),
    })
    .describe('A subagent no longer waits'),
  'subagent.announced': announcement().describe('A subagent completed'),
  'subagent.failed': announcement().describe('A subagent failed, was cancelled, or timed out'),
  'barrier.released': z
    .strictObject({
      calls: z.array(z.string()).describe('Spawn calls whose results are added now, in order'),
      missing: z.array(z.string()).describe('Spawn calls that are no longer waited for'),
      reason: z
        .enum(['joined', 'deadline', 'budget'])
        .describe('`budget`: the budget of a fan-out did not suffice for all its tasks'),
    })
    .describe('The barrier was released; the run no longer waits for subagents'),
  'cancel.requested': z
    .strictObject({
      by: z
        .enum(['api', 'parent'])
        .describe('`api`: by a request. `parent`: by the run or fan-out that started it'),
      reason: reason(),
    })
    .describe('Cancellation was requested; no new effect starts'),
  'run.completed': z
    .strictObject({
      stop_reason: z
        .enum(['end_turn', 'max_tokens', 'max_steps', 'budget', 'refusal'])
        .describe('`end_turn`: the model finished. The others do not imply success'),
      output: z
        .strictObject({
          text: body('The last answer of the model'),
          structured: structured(),
          attachments: z.array(z.string()).describe('Keys of files attached to the output'),
          schema_error: schemaError(),
        })
        .describe('The final answer'),
    })
    .describe('A run ended with an answer'),
  'run.failed': z
    .strictObject({
      stop_reason: z.enum(['error', 'denied']).describe('`denied` is reserved'),
      error: RunError.describe('Why it failed'),
      step: z.int().optional().describe('The step whose model call failed for good, from 0'),
    })
    .describe('A run failed'),
  'run.cancelled': z
    .strictObject({
      stop_reason: z.literal('cancelled').describe('Always `cancelled`'),
      reason: reason(),
    })
    .describe('A run was cancelled'),
  'run.timed_out': z
    .strictObject({
      stop_reason: z.literal('timeout').describe('Always `timeout`'),
      error: RunError.describe('The limit that was reached'),
    })
    .describe('A run timed out'),
} as const satisfies Readonly<Record<FactType, z.ZodType>>
