/**
 * Finds the critical path of a run: the work and waits that determined when the run ended, and the
 * share of each cause.
 */

import type { Span } from './span.ts'
import type { RunSpans } from './timeline.ts'

/** Cause of a part of the path. `unexplained` time was recorded by no event. */
export type Cause = 'person' | 'model' | 'tool' | 'queue' | 'wait' | 'unexplained'

export interface Segment {
  readonly run_id: string
  /** Key of the span; absent for time between spans. */
  readonly span?: string
  readonly cause: Cause
  /** Start and end in milliseconds since 1970. */
  readonly start: number
  readonly end: number
}

/** Clock difference in milliseconds that is tolerated between two events of a run. */
const TOLERANCE_MS = 1

/**
 * Returns the path in order of time. Its segments cover the root from creation to end, without gaps
 * or overlaps.
 *
 * The path is followed backwards from the end of the root: to the work that ended last, at a
 * barrier to the subagent whose end released the barrier, and so on.
 */
export function criticalPath(rows: readonly RunSpans[]): readonly Segment[] {
  const [root] = rows
  if (!root) return []
  const path = new Path(rows, root.start)
  path.follow(root, root.end)
  return path.segments.reverse()
}

/** Returns the milliseconds that each cause takes on the path. */
export function causesOf(path: readonly Segment[]): Readonly<Record<Cause, number>> {
  const causes = { person: 0, model: 0, tool: 0, queue: 0, wait: 0, unexplained: 0 }
  for (const { cause, start, end } of path) causes[cause] += end - start
  return causes
}

class Path {
  readonly segments: Segment[] = []
  readonly #rows: ReadonlyMap<string, RunSpans>
  /** Start of the root, before which nothing belongs to the path. */
  readonly #from: number

  constructor(rows: readonly RunSpans[], from: number) {
    this.#rows = new Map(rows.map((row) => [row.run_id, row]))
    this.#from = from
  }

  /** Adds the path of a run from `until` back to its start. */
  follow(row: RunSpans, until: number): void {
    const from = Math.max(row.start, this.#from)
    const childEnd = ({ child = '' }: Span) => this.#rows.get(child)?.end ?? 0
    const spans = [...row.spans].sort(
      (first, second) => byEnd(first, second) || childEnd(second) - childEnd(first),
    )
    let at = until
    for (const span of spans) {
      if (at <= from) return
      const ended = endOf(span)
      if (ended > at + TOLERANCE_MS || span.start >= at || ended <= span.start) continue
      const end = Math.min(at, ended)
      this.#add(row, 'unexplained', end, at)
      at = this.#apply(row, span, end, from)
    }
    this.#add(row, 'unexplained', from, at)
  }

  /** Adds a span, or the subagent that it waited for; returns the time at which it began. */
  #apply(row: RunSpans, span: Span, end: number, from: number): number {
    const child = this.#childOf(row, span, end)
    if (!child || child.start < from || child.start >= end) {
      const start = Math.max(from, span.start)
      this.#add(row, causeOf(span), start, end, span.id)
      return start
    }
    const childEnd = Math.min(child.end, end)
    // The subagent's result was on its way to this run.
    this.#add(row, 'queue', childEnd, end, span.id)
    this.follow(child, childEnd)
    return child.start
  }

  /** Returns the subagent whose end ended the span, or that an open span still waits for. */
  #childOf(row: RunSpans, span: Span, end: number): RunSpans | undefined {
    const { child, released = [], outcome, kind, run_id } = span
    const ended = [...released, ...(child === undefined ? [] : [child])]
      .flatMap((id) => this.#rows.get(id) ?? [])
      .filter((run) => run.end <= end + TOLERANCE_MS)
      .sort((first, second) => second.end - first.end)
    if (ended[0]) return ended[0]
    if (child !== undefined) return undefined
    // A run also waits for a person if one of its subagents does.
    const isOwnWait = row.spans.some((other) => other.kind === 'person' && other.outcome === 'open')
    if (kind !== 'wait' || outcome !== 'open' || isOwnWait) return undefined
    return [...this.#rows.values()].find(
      ({ parent, status }) => parent === run_id && status === 'open',
    )
  }

  #add(row: RunSpans, cause: Cause, start: number, end: number, span?: string): void {
    if (end <= start) return
    const { run_id } = row
    this.segments.push({ run_id, ...(span === undefined ? {} : { span }), cause, start, end })
  }
}

/** Rank of spans that end at the same time; the person tells most about the cause. */
const RANK = { person: 0, wait: 1, tool: 2, model: 3, queued: 4 } as const

const endOf = ({ end, until }: Span): number => until ?? end

const byEnd = (first: Span, second: Span): number =>
  endOf(second) - endOf(first) || RANK[first.kind] - RANK[second.kind]

function causeOf({ kind, on }: Span): Cause {
  if (kind === 'queued') return 'queue'
  if (kind !== 'wait') return kind
  if (on === 'approval' || on === 'input') return 'person'
  if (on === 'function') return 'tool'
  if (on === 'session') return 'queue'
  return on === 'model' ? 'model' : 'wait'
}
