/**
 * Writes CloudWatch metrics without a request: one log line per metric in the embedded metric
 * format. The alarms in infra/ use these metrics.
 */

import type { Measure } from '../metrics/measures.ts'

export const NAMESPACE = 'Strata'

/** Names of the CloudWatch metrics, whose values are also in the log (`metrics/measures.ts`). */
export type MetricName =
  | 'DeadLetters'
  | 'Due'
  | 'OldestDueSeconds'
  | 'Errors'
  | 'RunsEnded'
  | 'RunSeconds'
  | 'FanoutsEnded'
  | 'ModelFailures'
  | 'ModelCostUsd'
  | 'ToolFailures'
  | 'Deliveries'
  | 'TracesLost'
  | 'QuotaRejections'

const UNITS: Readonly<Record<MetricName, string>> = {
  DeadLetters: 'Count',
  Due: 'Count',
  OldestDueSeconds: 'Lifetime in seconds',
  Errors: 'Count',
  RunsEnded: 'Count',
  RunSeconds: 'Lifetime in seconds',
  FanoutsEnded: 'Count',
  ModelFailures: 'Count',
  ModelCostUsd: 'None',
  ToolFailures: 'Count',
  Deliveries: 'Count',
  TracesLost: 'Count',
  QuotaRejections: 'Count',
}

/** Returns the metric line to print; `more` contains further fields for log searches. */
export function metricLine(
  values: Partial<Readonly<Record<MetricName, number>>>,
  now: number,
  more: Readonly<Record<string, unknown>> = {},
  dimensions: Readonly<Record<string, string>> = {},
): string {
  const names = Object.keys(values) as MetricName[]
  const Metrics = names.map((Name) => ({ Name, Unit: UNITS[Name] }))
  const CloudWatchMetrics = [
    { Namespace: NAMESPACE, Dimensions: [Object.keys(dimensions)], Metrics },
  ]
  return JSON.stringify({
    _aws: { Timestamp: now, CloudWatchMetrics },
    ...values,
    ...dimensions,
    ...more,
  })
}

/** CloudWatch metric names by measure; each label value is billed as a separate metric. */
const NAMES: Readonly<Record<Measure['name'], MetricName | undefined>> = {
  runs_ended: 'RunsEnded',
  run_duration: 'RunSeconds',
  fanouts_ended: 'FanoutsEnded',
  model_failures: 'ModelFailures',
  model_cost_usd: 'ModelCostUsd',
  tool_failures: 'ToolFailures',
  deliveries: 'Deliveries',
  quota_rejections: 'QuotaRejections',
  traces_lost: 'TracesLost',
  // This measure appears only in the log, because models and types would yield too many metrics.
  model_mended: undefined,
  model_tokens: undefined,
}
const DIMENSIONS = ['status', 'outcome']

/**
 * Returns the log line of a measure. Models are not a dimension, because each model would be billed
 * as a separate metric.
 */
export function measureLine({ name, value, labels }: Measure, now: number): string | undefined {
  const metric = NAMES[name]
  if (metric === undefined) return undefined
  const dimensions = Object.entries(labels).filter(([label]) => DIMENSIONS.includes(label))
  return metricLine({ [metric]: value }, now, {}, Object.fromEntries(dimensions))
}
