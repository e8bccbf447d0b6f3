/**
 * Numbers that entries of the log say: the same on every host, which differ in where they put them.
 * Labels are of few values: never tenants, ids or texts of callers.
 */

import type { Log, LogEntry } from '../../ports/log.ts'

export const COUNTED = {
  runs_ended: ['status'],
  fanouts_ended: ['status'],
  model_failures: ['provider', 'model', 'code'],
  model_tokens: ['provider', 'model', 'type'],
  model_cost_usd: ['provider', 'model'],
  tool_failures: ['status'],
  deliveries: ['outcome'],
  traces_lost: [],
  quota_refusals: ['limit'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CountedName = keyof typeof COUNTED

export interface Measure {
  readonly name: CountedName | 'run_duration'
  readonly value: number
  readonly labels: Readonly<Record<string, string>>
}

const NOTHING: readonly Measure[] = []
const one = (name: CountedName, labels: Measure['labels'] = {}, value = 1): Measure[] => [
  { name, labels, value },
]

function measuresOf(entry: LogEntry): readonly Measure[] {
  switch (entry.event) {
    case 'run.ended': {
      const labels = { status: String(entry.status) }
      const value = Number(entry.duration_ms ?? 0) / 1_000
      return [
        { name: 'runs_ended', labels, value: 1 },
        { name: 'run_duration', labels, value },
      ]
    }
    case 'fanout.ended':
      return one('fanouts_ended', { status: String(entry.status) })
    case 'model.failed':
      return one('model_failures', { ...modelOf(entry), code: String(entry.error_code) })
    case 'model.answered':
      return answered(entry)
    case 'tool.failed':
      return one('tool_failures', { status: String(entry.status) })
    case 'delivery.delivered':
      return one('deliveries', { outcome: 'delivered' })
    case 'delivery.failed':
      return one('deliveries', {
        outcome: entry.status === 'pending' ? 'retried' : String(entry.status),
      })
    case 'trace.lost':
      return one('traces_lost')
    case 'quota.refused':
      return one('quota_refusals', { limit: String(entry.limit) })
    default:
      return NOTHING
  }
}

const TOKENS = ['input', 'output', 'cache_read', 'cache_write', 'reasoning'].map(
  (type) => [type, `${type}_tokens`] as const,
)

function answered(entry: LogEntry): Measure[] {
  const { provider, model } = modelOf(entry)
  const all: Measure[] = []
  for (const [type, key] of TOKENS) {
    const value = entry[key]
    if (typeof value !== 'number' || value <= 0) continue
    all.push({ name: 'model_tokens', labels: { provider, model, type }, value })
  }
  const { cost_usd: value } = entry
  if (typeof value === 'number' && value > 0)
    all.push({ name: 'model_cost_usd', labels: { provider, model }, value })
  return all
}

/** A caller may name any model of a provider: after so many all others are one. */
const MODELS = 100
const known = new Set<string>()

/** `provider/model` as labels. */
export function modelLabels(id: string): { readonly provider: string; readonly model: string } {
  const at = id.indexOf('/')
  const [provider, model] = at < 0 ? ['', id] : [id.slice(0, at), id.slice(at + 1)]
  if (!known.has(id) && known.size >= MODELS) return { provider: 'other', model: 'other' }
  known.add(id)
  return { provider, model }
}

const modelOf = ({ model }: LogEntry) => modelLabels(String(model ?? ''))

/** The log, of which every entry is measured too, also those that its level leaves out. */
export const measured = (log: Log, take: (measure: Measure) => void): Log => ({
  write(entry) {
    for (const measure of measuresOf(entry)) take(measure)
    log.write(entry)
  },
})
