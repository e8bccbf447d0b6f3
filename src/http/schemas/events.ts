/** Every event of a run: its envelope, and the data of each type. */

import * as z from 'zod'
import { PathNode } from './approvals.ts'
import { RunError, time, Usage, Warning, warnings } from './common.ts'
import { Allotment, Announce, Body, Part, StructuredOutput } from './event-parts.ts'
import { FANOUT_OWN } from './fanout-events.ts'

const DATA = {
  'run.created': z.looseObject({ id: z.string(), kind: z.string(), agent: z.string() }),
  'run.started': z.strictObject({
    agent: z.string(),
    model: z.string(),
    window: z.int(),
    config_digest: z.string(),
    max_steps: z.int(),
    timeout_seconds: z.number(),
    price: z
      .strictObject({
        input_per_million: z.number(),
        output_per_million: z.number(),
        cache_read_per_million: z.number().optional().describe('Absent: like any input'),
        cache_write_per_million: z.number().optional().describe('Absent: like any input'),
      })
      .optional(),
    structured_output: StructuredOutput.optional(),
    began_at: time().optional().describe('When work began; the event may be written later'),
    warnings: warnings(Warning, 'Layers, servers and tools that the run has not as it was asked'),
  }),
  'run.waiting': z.strictObject({
    on: z.enum(['subagents', 'approval', 'input', 'session', 'retry']),
    until: time().nullable(),
    step: z.int().optional(),
    attempt: z.int().optional(),
    error: RunError.optional(),
  }),
  'run.resumed': z.strictObject({ history: z.array(z.string()).optional() }),
  'message.received': z.strictObject({ message_id: z.string(), text: Body }),
  'assistant.message': z.strictObject({
    step: z.int(),
    seen: z.int(),
    parts: z.array(Part),
    calls: z.array(
      z.strictObject({
        id: z.string(),
        tool: z.string(),
        mode: z.enum(['once', 'repeatable', 'write', 'spawn', 'refused']),
        refusal: z.string().optional(),
        ask: z.string().optional().describe('A person is asked first; by whose rule'),
      }),
    ),
    finish: z.enum(['stop', 'calls', 'length', 'refusal', 'other']),
    model: z.string(),
    usage: Usage,
    structured: z.unknown().optional(),
    schema_error: z.string().optional(),
    structured_output: StructuredOutput.optional().describe(
      'The provider has refused the schema, and the model was told in the prompt',
    ),
  }),
  'tool.call': z.strictObject({
    call: z.string(),
    tool: z.string(),
    mode: z.enum(['once', 'repeatable', 'write']),
    write: z
      .strictObject({ before: z.string().nullable(), after: z.string() })
      .optional()
      .describe('The etag of the file before, the SHA-256 of it afterwards'),
  }),
  'tool.result': z.strictObject({
    call: z.string(),
    tool: z.string(),
    status: z.enum(['ok', 'error', 'unknown']),
    text: Body,
    duration_ms: z.number(),
    attachments: z.array(z.string()).optional(),
  }),
  'transcript.compacted': z.strictObject({
    step: z.int().describe('The step that is due'),
    seen: z.int(),
    kept_from: z.int().describe('The first step that the model is still shown as it was'),
    summary: Body.describe('What it is shown instead of all before'),
    model: z.string().nullable().describe('Who summarised; null: an excerpt, because nobody could'),
    usage: Usage,
  }),
  'skill.activated': z.strictObject({
    skill: z.string(),
    by: z.enum(['model', 'user']),
    file_digest: z.string(),
    call: z.string().nullable(),
    args: z.string(),
    text: Body.nullable().describe('What entered the transcript, when it was activated by hand'),
  }),
  'assistant.discarded': z.strictObject({
    step: z.int(),
    model: z.string().describe('Who was asked; empty: an excerpt was made instead'),
    usage: Usage.describe('What was paid for an answer that does not count'),
  }),
  'clock.stepped': z.strictObject({
    ms: z
      .int()
      .describe('Milliseconds by which the wall clock jumped; they do not count as running time'),
    to: time(),
  }),
  'approval.requested': z.strictObject({
    id: z.string(),
    call: z.string(),
    tool: z.string(),
    arguments: Body,
    args_hash: z.string(),
    reason: z.string(),
    expires_at: time(),
    path: z.array(PathNode),
  }),
  'approval.decided': z.strictObject({
    id: z.string(),
    call: z.string(),
    decision: z.enum(['approve', 'deny', 'expired']),
    by: z.string().nullable(),
    reason: z.string().nullable(),
    arguments: Body.optional(),
  }),
  'subagent.spawned': z.strictObject({
    call: z.string(),
    run_id: z.string(),
    session_id: z.string(),
    agent: z.string(),
    label: z.string().nullable(),
    lane: z.string(),
    task: z.string(),
    allotment: Allotment.optional(),
    missing: z
      .array(z.string())
      .optional()
      .describe('Skills and servers that its parent has and its own layers have not'),
    warnings: warnings(Warning, 'What it has to do without, as it looked when it was asked for'),
  }),
  'subagent.waiting': z.strictObject({
    call: z.string(),
    run_id: z.string(),
    word: z.int(),
    until: time().nullable(),
  }),
  'subagent.resumed': z.strictObject({ call: z.string(), run_id: z.string(), word: z.int() }),
  'subagent.announced': z.strictObject({ call: z.string(), announce: Announce }),
  'subagent.failed': z.strictObject({ call: z.string(), announce: Announce }),
  'barrier.released': z.strictObject({
    calls: z.array(z.string()),
    missing: z.array(z.string()),
    reason: z
      .enum(['joined', 'deadline', 'budget'])
      .describe('`budget`: of a fan-out, whose budget did not suffice for all its tasks'),
  }),
  'cancel.requested': z.strictObject({
    by: z.enum(['api', 'parent']),
    reason: z.string().nullable(),
  }),
  'run.completed': z.strictObject({
    stop_reason: z.enum(['end_turn', 'max_tokens', 'max_steps', 'budget', 'refusal']),
    output: z.strictObject({
      text: Body,
      structured: z.unknown(),
      attachments: z.array(z.string()),
      schema_error: z.string().optional(),
    }),
  }),
  'run.failed': z.strictObject({
    stop_reason: z.enum(['error', 'denied']),
    error: RunError,
    step: z.int().optional(),
  }),
  'run.cancelled': z.strictObject({
    stop_reason: z.literal('cancelled'),
    reason: z.string().nullable(),
  }),
  'run.timed_out': z.strictObject({ stop_reason: z.literal('timeout'), error: RunError }),
} as const

/** As the contract calls it: `run.timed_out` is `RunTimedOut`. */
export const eventName = (type: string): string =>
  type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

for (const [type, data] of Object.entries({ ...DATA, ...FANOUT_OWN })) {
  z.globalRegistry.add(data, { ...z.globalRegistry.get(data), id: `${eventName(type)}Data` })
}

/** The types of events that stand in a log. */
export const EVENT_TYPES = Object.keys(DATA) as (keyof typeof DATA)[]

export const envelope = <T extends keyof typeof DATA>(type: T) =>
  z.strictObject({
    id: z.string(),
    type: z.literal(type),
    run_id: z.string(),
    seq: z
      .int()
      .describe('Dense per run, from 1; 0: in no log, since the run had ended (webhooks only)'),
    created_at: time(),
    data: DATA[type],
  })

/** Of its children the log of a fan-out says what a run's log says. */
const FANOUT_DATA = {
  ...FANOUT_OWN,
  'subagent.spawned': DATA['subagent.spawned'],
  'subagent.announced': DATA['subagent.announced'],
  'subagent.failed': DATA['subagent.failed'],
  'barrier.released': DATA['barrier.released'],
  'cancel.requested': DATA['cancel.requested'],
} as const

export const fanoutEnvelope = <T extends keyof typeof FANOUT_DATA>(type: T) =>
  z.strictObject({
    id: z.string(),
    type: z.literal(type),
    run_id: z.string().describe('The id of the fan-out'),
    seq: z
      .int()
      .describe('Dense per fan-out, from 1; 0: in no log, since it had ended (webhooks only)'),
    created_at: time(),
    data: FANOUT_DATA[type],
  })
/** What a run's log says too has another name here. */
const fanoutEvent = (type: keyof typeof FANOUT_DATA) =>
  fanoutEnvelope(type).meta({ id: `${type in DATA ? 'Fanout' : ''}${eventName(type)}Event` })
const [firstOf, ...restOf] = (Object.keys(FANOUT_DATA) as (keyof typeof FANOUT_DATA)[]).map(
  fanoutEvent,
)
export const FanoutEvent = z
  .discriminatedUnion('type', [firstOf!, ...restOf])
  .meta({ id: 'FanoutEvent' })

const runEvent = (type: keyof typeof DATA) => envelope(type).meta({ id: `${eventName(type)}Event` })
const [first, ...rest] = EVENT_TYPES.map(runEvent)
export const Event = z.discriminatedUnion('type', [first!, ...rest]).meta({ id: 'Event' })
