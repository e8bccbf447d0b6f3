/** Schemas of run event data, by event type. */

import * as z from 'zod'
import type { FactType } from '../../../core/run/log/facts.ts'
import { askedBy, decidedBy, decisions, path } from '../runs/approvals.ts'
import { QUESTION_DATA } from '../runs/questions.ts'
import { structured } from '../runs/runs.ts'
import { RunError, Usage, Warning, warnings } from '../shared/common.ts'
import {
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
  runStep,
  sha256Of,
  text,
  textOrNull,
  time,
} from '../shared/words.ts'
import { MEMORY_DATA, startMemory } from './memory-events.ts'
import { SUBAGENT_DATA } from './subagent-events.ts'
import { WAITING_DATA } from './waiting-events.ts'

const tool = () => text('Name of the tool, as shown to the model')
const MODES =
  'Execution mode. `once`: never repeated. `repeatable`: may be repeated. `write`: a ' +
  'file write that happens once'
const reason = () => textOrNull('Stated reason; `null` if none was stated')

export const RUN_DATA = {
  'run.created': z
    .looseObject({
      id: idOf('run', 'ID of the run'),
      kind: text('Run kind: `main`, `subagent`, `hook`, or `schedule`'),
      agent: agentName('Requested agent'),
    })
    .describe('A run was requested, with all its parameters'),
  'run.started': z
    .strictObject({
      agent: agentName('Resolved agent'),
      model: text('`provider/model`'),
      window: count("Size of the model's context window, in tokens"),
      config_digest: sha256Of('the resolved configuration, for `POST /v1/resolve/diff`'),
      max_steps: count('Maximum number of model answers'),
      timeout_seconds: z
        .number()
        .describe('Maximum running time in seconds, excluding waits for people or for a model'),
      model_patience_seconds: count(
        'Maximum time to wait for an unavailable model, in seconds; 0 means three attempts',
      ),
      price: price(),
      ...startedModels,
      memory: startMemory(),
      structured_output: StructuredOutput.optional(),
      began_at: time('Time at which the work started; the event can be written later').optional(),
      warnings: warnings(
        Warning,
        'Layers, servers, and tools that are missing or differ from the request',
      ),
    })
    .describe('A run started; its configuration is now fixed'),
  ...WAITING_DATA,
  'assistant.message': z
    .strictObject({
      step: runStep('Answer index'),
      seen: count('Number of messages and results that the model had received'),
      parts: z.array(Part).describe('Text and tool calls in the answer, in order'),
      calls: z
        .array(
          z.strictObject({
            id: callId(),
            tool: tool(),
            mode: z
              .enum(['once', 'repeatable', 'write', 'spawn', 'question', 'caller', 'refused'])
              .describe(
                `${MODES}. \`spawn\`: starts a subagent. \`caller\`: the caller returns the result. ` +
                  '`refused`: not executed',
              ),
            refusal: z
              .string()
              .optional()
              .describe('Reason for the refusal, as shown to the model'),
            mended: z
              .string()
              .optional()
              .describe("Difference between the call and the model's output"),
            ask: z.string().optional().describe('Rule that requires an approval for the call'),
          }),
        )
        .describe('Decision for each tool call: the applied rule, or the reason for a refusal'),
      finish: z
        .enum(['stop', 'calls', 'length', 'refusal', 'other'])
        .describe('Reason why the model stopped; `length` means that the answer was cut off'),
      model: text('Model that answered, as `provider/model`'),
      usage: Usage.describe('Usage for this model call'),
      prompt_bytes: count(
        'Prompt size in bytes; present only with a token or dollar budget',
      ).optional(),
      budget_output_tokens: count(
        'Maximum answer length that the budget allows (`max_output_tokens`); absent if there ' +
          'is none',
      ).optional(),
      began_at: time(
        'Start time of the model call, including the models that were tried before; absent in ' +
          'logs of older releases',
      ).optional(),
      duration_ms: count(
        'Duration of the model call in milliseconds; absent in logs of older releases',
      ).optional(),
      ...answerModels,
      structured: structured().optional(),
      schema_error: schemaError(),
      structured_output: StructuredOutput.optional().describe(
        'Present if the provider rejected the schema, which was then added to the prompt',
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
          before: textOrNull('ETag of the previous file; `null` if there was no file'),
          after: sha256Of('the new file'),
        })
        .optional()
        .describe('Versions of the file before and after the write'),
    })
    .describe('A tool call is about to be executed'),
  'tool.result': z
    .strictObject({
      call: callId(),
      tool: tool(),
      status: z
        .enum(['ok', 'error', 'unknown'])
        .describe('Status of the call. `unknown`: the call was sent, but the outcome is not known'),
      text: body("Result as shown to the model; for a subagent, only the subagent's answer"),
      duration_ms: z
        .number()
        .describe(
          "Duration of the call in milliseconds; for a subagent, the subagent's own duration; 0 " +
            'if the duration is not known, such as for a call that was not executed',
        ),
      began_at: time(
        'Start time of the call, or of its last attempt. Absent if the call was not executed ' +
          '(refused, denied), its end was not seen (timed out, worker stopped), or a subagent, a ' +
          'person, or the caller gave the result. A subagent has its own events',
      ).optional(),
      attachments: z
        .array(z.string())
        .optional()
        .describe('Keys of files that the run attaches to its output'),
      found: z
        .array(z.string())
        .optional()
        .describe('Deferred tools that the call found; the model can now use these tools'),
    })
    .describe('A tool call has a result'),
  ...MEMORY_DATA,
  'skill.activated': z
    .strictObject({
      skill: text('Name of the skill'),
      by: z
        .enum(['model', 'user'])
        .describe('Source of the activation; `user` means `/name` at the start of the input'),
      file_digest: sha256Of('the SKILL.md file'),
      call: textOrNull('Tool call that opened the skill; `null` if a person activated the skill'),
      args: text('Arguments after the name; empty if there are none'),
      text: bodyOrNull(
        'Text added to the transcript when a person activated the skill',
        'the text is in the result of the tool call',
      ),
    })
    .describe('A skill was opened'),
  'assistant.discarded': z
    .strictObject({
      step: runStep('Index of the requested answer'),
      model: z.string().describe('Model that was called; empty if an excerpt was used instead'),
      usage: Usage.describe('Usage for the discarded answer'),
    })
    .describe("A model's answer was discarded; its usage is counted"),
  'clock.stepped': z
    .strictObject({
      ms: z.int().describe('Wall-clock jump in milliseconds, which does not count as running time'),
      to: time('Time after the jump'),
    })
    .describe('The wall clock jumped forward, or no process was running'),
  'approval.requested': z
    .strictObject({
      id: text('ID of the approval: `apr_` followed by 52 characters'),
      call: callId('ID of the tool call that is waiting'),
      tool: tool(),
      arguments: body('Arguments as JSON text, as written by the model'),
      args_hash: sha256Of('the arguments'),
      reason: askedBy(),
      expires_at: time('Deadline for the decision'),
      path: path(),
    })
    .describe('An approval was requested'),
  'approval.decided': z
    .strictObject({
      id: text('ID of the approval: `apr_` followed by 52 characters'),
      call: callId('ID of the tool call that was waiting'),
      decision: decisions(),
      by: decidedBy(),
      reason: reason(),
      arguments: body(
        'JSON text that was approved in place of the arguments, with values hidden',
      ).optional(),
    })
    .describe('An approval was decided or has expired'),
  ...QUESTION_DATA,
  ...SUBAGENT_DATA,
  'cancel.requested': z
    .strictObject({
      by: z
        .enum(['api', 'parent'])
        .describe(
          'Source of the cancellation: `api` for a request, `parent` for the run or fan-out ' +
            'that started this run',
        ),
      reason: reason(),
    })
    .describe('Cancellation was requested; no new model or tool call starts'),
  'run.completed': z
    .strictObject({
      stop_reason: z
        .enum(['end_turn', 'max_tokens', 'max_steps', 'budget', 'refusal'])
        .describe(
          'Reason why the run ended. `end_turn`: the model finished. Other values do not imply ' +
            'success',
        ),
      output: z
        .strictObject({
          text: body("The model's last answer"),
          structured: structured(),
          attachments: z.array(z.string()).describe('Keys of files attached to the output'),
          schema_error: schemaError(),
        })
        .describe('The final answer'),
    })
    .describe('A run ended with an answer'),
  'run.failed': z
    .strictObject({
      stop_reason: z
        .enum(['error', 'denied'])
        .describe('Reason why the run ended. `denied` is reserved'),
      error: RunError.describe('Reason for the failure'),
      step: z.int().optional().describe('Step whose model call failed permanently, from 0'),
    })
    .describe('A run failed'),
  'run.cancelled': z
    .strictObject({
      stop_reason: z.literal('cancelled').describe('Reason why the run ended. Always `cancelled`'),
      reason: reason(),
    })
    .describe('A run was cancelled'),
  'run.timed_out': z
    .strictObject({
      stop_reason: z.literal('timeout').describe('Reason why the run ended. Always `timeout`'),
      error: RunError.describe('Limit that was reached'),
    })
    .describe('A run timed out'),
} as const satisfies Readonly<Record<FactType, z.ZodType>>
