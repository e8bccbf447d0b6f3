/** The metrics port: numbers of this process for who watches it. */

export interface Metrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>
  /** Whether metrics can be read without a key. */
  readonly open: boolean
}
