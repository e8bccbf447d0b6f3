/**
 * Numbers for CloudWatch without a request: one line of its embedded metric format in the log. The
 * alarms in infra/ watch them.
 */

import type { Measure } from '../metrics/measures.ts'

export const NAMESPACE = 'Strata'

/** Numbers that the log says, too (`metrics/measures.ts`). */
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
}

/** Returns the line to print; `more` is for people who search the log. */
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

/** Measures with a CloudWatch metric; each value of a label is billed as one. */
const NAMES: Readonly<Record<Measure['name'], MetricName | undefined>> = {
  runs_ended: 'RunsEnded',
  run_duration: 'RunSeconds',
  fanouts_ended: 'FanoutsEnded',
  model_failures: 'ModelFailures',
  model_cost_usd: 'ModelCostUsd',
  tool_failures: 'ToolFailures',
  deliveries: 'Deliveries',
  traces_lost: 'TracesLost',
  // In the log's lines; by model and type they would be many.
  model_mended: undefined,
  model_tokens: undefined,
}
const DIMENSIONS = ['status', 'outcome']

/** Models are no dimension: each would be billed by itself. */
export function measureLine({ name, value, labels }: Measure, now: number): string | undefined {
  const metric = NAMES[name]
  if (metric === undefined) return undefined
  const dimensions = Object.entries(labels).filter(([label]) => DIMENSIONS.includes(label))
  return metricLine({ [metric]: value }, now, {}, Object.fromEntries(dimensions))
}
