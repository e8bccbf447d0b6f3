/** Metrics of this process for monitoring. */

export interface Metrics {
  /** Returns the metrics in the text format of Prometheus. */
  text(): Promise<string>
  /** True if metrics can be read without a key. */
  readonly open: boolean
}
