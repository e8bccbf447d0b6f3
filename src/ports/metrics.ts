/** The metrics port: numbers of this process for monitoring. */

export interface Metrics {
  /** Returns the metrics in the text format of Prometheus. */
  text(): Promise<string>
  /** Whether metrics can be read without a key. */
  readonly open: boolean
}
