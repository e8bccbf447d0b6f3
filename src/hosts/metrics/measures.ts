/**
 * Derives metrics from log entries in the same way on every platform; platforms differ only in
 * where they export the metrics. Labels have few possible values: never tenants, IDs, or text from
 * callers.
 */

import type { Log, LogEntry } from '../../ports/log.ts'

export const COUNTERS = {
  runs_ended: ['status'],
  fanouts_ended: ['status'],
  model_failures: ['provider', 'model', 'code'],
  model_mended: ['provider', 'model'],
  model_tokens: ['provider', 'model', 'type'],
  model_cost_usd: ['provider', 'model'],
  tool_failures: ['status'],
  deliveries: ['outcome'],
  quota_rejections: ['quota'],
  traces_lost: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CountedName = keyof typeof COUNTERS

export interface Measure {
  readonly name: CountedName | 'run_duration'
  readonly value: number
  readonly labels: Readonly<Record<string, string>>
}

function measuresOf(entry: LogEntry): readonly Measure[] {
  const measure = (name: CountedName, labels: Measure['labels'] = {}, value = 1): Measure[] => [
    { name, labels, value },
  ]
  const status = String(entry.status)
  switch (entry.event) {
    case 'run.ended': {
      const seconds = Number(entry.duration_ms ?? 0) / 1_000
      const took = { name: 'run_duration', labels: { status }, value: seconds } as const
      return [...measure('runs_ended', { status }), took]
    }
    case 'fanout.ended':
      return measure('fanouts_ended', { status })
    case 'model.failed':
      return measure('model_failures', { ...modelOf(entry), code: String(entry.error_code) })
    case 'model.answered':
      return answerMeasures(entry)
    case 'model.mended':
      return measure('model_mended', modelOf(entry), Number(entry.count))
    case 'tool.failed':
      return measure('tool_failures', { status })
    case 'delivery.delivered':
      return measure('deliveries', { outcome: 'delivered' })
    case 'delivery.failed':
      return measure('deliveries', { outcome: status === 'pending' ? 'retried' : status })
    case 'quota.exceeded':
      return measure('quota_rejections', { quota: String(entry.quota) })
    case 'trace.lost':
      return measure('traces_lost')
    default:
      return []
  }
}

const TOKENS = ['input', 'output', 'cache_read', 'cache_write', 'reasoning'] as const

function answerMeasures(entry: LogEntry): Measure[] {
  const labels = modelOf(entry)
  const tokens = TOKENS.flatMap((type): Measure[] => {
    const value = entry[`${type}_tokens`]
    return typeof value === 'number' && value > 0
      ? [{ name: 'model_tokens', labels: { ...labels, type }, value }]
      : []
  })
  const { cost_usd: cost } = entry
  if (typeof cost !== 'number' || cost <= 0) return tokens
  return [...tokens, { name: 'model_cost_usd', labels, value: cost }]
}

/** Maximum number of model labels. Callers can name any model; all others share one label. */
const MODELS = 100
const knownModels = new Set<string>()

/** Splits `provider/model` into the metric labels `provider` and `model`. */
export function modelLabels(id: string): { readonly provider: string; readonly model: string } {
  const at = id.indexOf('/')
  const [provider, model] = at < 0 ? ['', id] : [id.slice(0, at), id.slice(at + 1)]
  if (!knownModels.has(id) && knownModels.size >= MODELS)
    return { provider: 'other', model: 'other' }
  knownModels.add(id)
  return { provider, model }
}

const modelOf = ({ model }: LogEntry) => modelLabels(String(model ?? ''))

/** Wraps a log and measures every entry, including those below the log level. */
export const measured = (log: Log, take: (measure: Measure) => void): Log => ({
  write(entry) {
    for (const measure of measuresOf(entry)) take(measure)
    log.write(entry)
  },
})
