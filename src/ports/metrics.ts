/** Metrics of this process, read by monitoring systems. */

export interface Metrics {
  /** Returns the metrics in Prometheus text format. */
  text(): Promise<string>
  /** True if metrics can be read without an API key. */
  readonly open: boolean
}
