/**
 * Reports commits to the operator: the end of a run or fan-out, an unavailable model, or missing
 * resources of a run. Reports are derived from facts, and no decision depends on them.
 */

import type { Usage } from '../../core/message.ts'
import type { SchemaMeans } from '../../core/run/log/fact-parts.ts'
import type { LoggedFact } from '../../core/run/log/facts.ts'
import type { LogEntry, ModelAnswer, World } from '../../ports/world.ts'
import { parsePartition } from './keys.ts'

/** Members of facts and states that reports use. */
interface ReportedFields {
  readonly type: string
  readonly on?: string
  readonly step?: number
  readonly attempt?: number
  readonly until?: number | null
  readonly gives_up_at?: number
  readonly stop_reason?: string
  readonly reason?: string | null
  readonly error?: { readonly code: string; readonly message: string }
  readonly warnings?: readonly { readonly code: string; readonly message: string }[]
  readonly tool?: string
  readonly model?: string | null
  readonly usage?: Partial<Usage>
  readonly structured_output?: SchemaMeans
  readonly status?: string
  readonly duration_ms?: number
}
interface Ended {
  readonly created_at?: number
  readonly ended_at: number | null
  readonly spec?: {
    readonly agent?: string
    readonly session_id?: string
    readonly parent?: { readonly run_id: string } | null
  } | null
  readonly started?: { readonly model: string } | null
  readonly usage?: Partial<Usage>
}

/** Reports committed facts to the operator; `state` includes them. */
export function reportFacts(
  { log }: World,
  partition: string,
  facts: readonly LoggedFact<{ readonly type: string }>[],
  state: Ended,
): void {
  if (log === undefined) return
  for (const { fact } of facts) {
    const entries = entriesOf(fact, state)
    if (entries.length === 0) continue
    const { tenant, kind, id } = parsePartition(partition)
    for (const entry of entries) log.write({ ...entry, tenant, [`${kind}_id`]: id })
  }
}

/** Reports corrected or omitted parts of a model's answer to the operator. */
export function reportMended(
  { log }: World,
  partition: string,
  step: number,
  { model, mended: repair }: ModelAnswer,
): void {
  if (!repair) return
  const { tenant, kind, id } = parsePartition(partition)
  const { count, notes } = repair
  const fields = { step, model, count, message: notes.join('; ') }
  log?.write({ level: 'debug', event: 'model.mended', tenant, [`${kind}_id`]: id, ...fields })
}

/** Reports billed model answers that arrived after their run ended; no usage includes them. */
export function reportUnrecorded(
  { log }: World,
  partition: string,
  answers: readonly { readonly type: string; readonly usage?: Ended['usage'] }[],
): void {
  for (const { usage } of answers) {
    const { tenant, id } = parsePartition(partition)
    log?.write({
      level: 'warn',
      event: 'model.answered_late',
      message: 'A model responded after its run had ended; no run includes its usage.',
      tenant,
      run_id: id,
      input_tokens: usage?.input_tokens,
      output_tokens: usage?.output_tokens,
    })
  }
}

const STATUSES = ['completed', 'failed', 'cancelled', 'timed_out']
/** Terminal fact types and how each is reported. */
const ENDS = new Map<string, { readonly event: string; readonly status: string }>(
  ['run', 'fanout'].flatMap((kind) =>
    STATUSES.map((status) => [`${kind}.${status}`, { event: `${kind}.ended`, status }] as const),
  ),
)

function entriesOf(fact: ReportedFields, state: Ended): readonly LogEntry[] {
  const end = ENDS.get(fact.type)
  if (end) return [endOf(end.event, end.status, fact, state)]
  switch (fact.type) {
    case 'run.waiting':
      return fact.on === 'model' ? [modelFailed(fact, state)] : []
    case 'model.unavailable':
    case 'model.recovered':
      return [modelOutage(fact)]
    case 'run.started':
      return (fact.warnings ?? []).map(({ code, message }) => ({
        level: 'warn',
        event: 'run.warning',
        code,
        message,
      }))
    case 'assistant.message':
      return [...(fact.structured_output ? [schemaRefused(fact)] : []), modelAnswered(fact)]
    case 'assistant.discarded':
    case 'transcript.compacted':
    case 'memory.noted':
      return fact.model ? [modelAnswered(fact)] : []
    case 'tool.result':
      return fact.status === 'ok' ? [] : [toolFailed(fact)]
    default:
      return []
  }
}

function endOf(event: string, status: string, fact: ReportedFields, state: Ended): LogEntry {
  const { spec, usage } = state
  return {
    level: status === 'failed' || status === 'timed_out' ? 'warn' : 'info',
    event,
    status,
    stop_reason: fact.stop_reason,
    error_code: fact.error?.code,
    message: fact.error?.message,
    duration_ms:
      state.ended_at === null || state.created_at === undefined
        ? undefined
        : state.ended_at - state.created_at,
    agent: spec?.agent,
    session_id: spec?.session_id,
    parent_run_id: spec?.parent?.run_id,
    input_tokens: usage?.input_tokens,
    output_tokens: usage?.output_tokens,
    cache_read_tokens: usage?.cache_read_tokens,
    cache_write_tokens: usage?.cache_write_tokens,
    reasoning_tokens: usage?.reasoning_tokens,
  }
}

/** Returns the log entry for a billed model call. Model metrics are derived from it. */
const modelAnswered = ({ step, model, usage, duration_ms }: ReportedFields): LogEntry => ({
  level: 'debug',
  event: 'model.answered',
  step,
  model,
  duration_ms,
  input_tokens: usage?.input_tokens,
  output_tokens: usage?.output_tokens,
  cache_read_tokens: usage?.cache_read_tokens,
  cache_write_tokens: usage?.cache_write_tokens,
  reasoning_tokens: usage?.reasoning_tokens,
  cost_usd: usage?.list_price,
})

const schemaRefused = ({ step, model, structured_output }: ReportedFields): LogEntry => ({
  level: 'warn',
  event: 'model.schema_refused',
  step,
  model,
  message: structured_output?.reason,
})

const modelFailed = (
  { step, attempt, error, until }: ReportedFields,
  { started }: Ended,
): LogEntry => ({
  level: 'warn',
  event: 'model.failed',
  step,
  model: started?.model,
  attempt,
  error_code: error?.code,
  message: error?.message,
  retry_at: until,
})

const modelOutage = ({
  type,
  step,
  model,
  error,
  gives_up_at,
  duration_ms,
}: ReportedFields): LogEntry => ({
  level: error ? 'warn' : 'info',
  event: type,
  step,
  model,
  error_code: error?.code,
  message: error?.message,
  gives_up_at,
  duration_ms,
})

/**
 * Returns the log entry for a failed tool call. The tool's answer stays in the run. An unknown
 * outcome needs a person's attention.
 */
const toolFailed = ({ tool, status, duration_ms }: ReportedFields): LogEntry => ({
  level: status === 'unknown' ? 'warn' : 'info',
  event: 'tool.failed',
  tool,
  status,
  duration_ms,
})
