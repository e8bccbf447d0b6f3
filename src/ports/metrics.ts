/** The metrics port: numbers of this process for who watches it. */

export interface Metrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>
  /** Whether whoever reaches the process may read them, without a key. */
  readonly open: boolean
}
