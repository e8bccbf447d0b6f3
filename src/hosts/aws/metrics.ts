/**
 * Numbers for CloudWatch without a request: one line of its embedded metric format in the log. The
 * alarms in infra/ watch them.
 */

export const NAMESPACE = 'Strata'

export type MetricName = 'DeadLetters' | 'Due' | 'OldestDueSeconds' | 'Errors'

const UNITS: Readonly<Record<MetricName, string>> = {
  DeadLetters: 'Count',
  Due: 'Count',
  OldestDueSeconds: 'Seconds',
  Errors: 'Count',
}

/** The line to print; `more` is for people who search the log. */
export function metricLine(
  values: Partial<Readonly<Record<MetricName, number>>>,
  now: number,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const names = Object.keys(values) as MetricName[]
  const Metrics = names.map((Name) => ({ Name, Unit: UNITS[Name] }))
  const CloudWatchMetrics = [{ Namespace: NAMESPACE, Dimensions: [[]], Metrics }]
  return JSON.stringify({ _aws: { Timestamp: now, CloudWatchMetrics }, ...values, ...more })
}
