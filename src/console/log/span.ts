/** A span of a run: a call of the model or a tool, or a wait. */

type SpanKind = 'queued' | 'model' | 'tool' | 'person' | 'wait'

export interface Span {
  /** Key of the span, unique within a tree. */
  readonly id: string
  readonly run_id: string
  readonly kind: SpanKind
  /** Name in an exported trace, such as `chat opus` or `execute_tool file_read`. */
  readonly name: string
  /** Start and end in milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly outcome: 'ok' | 'error' | 'unknown' | 'open'
  /** Sequence number of the event that ended the span, or of the event that opened it. */
  readonly seq: number
  /** ID of the tool call; for tools and persons. */
  readonly call?: string
  /** ID of the subagent that the call started. */
  readonly child?: string
  /** IDs of the subagents whose ends released the wait. */
  readonly released?: readonly string[]
  /**
   * Time by which the wait was over, because the next work began then. The events that end a wait
   * are recorded together with the first result of that work.
   */
  readonly until?: number
  readonly step?: number
  /** Cause of a wait, such as `subagents` or `model`. */
  readonly on?: string
  /** Whether the event does not report the start, so that `start` is the earliest possible one. */
  readonly isEstimated?: true
}
