/** Rows of a timeline: each run, and below each open run its spans and subagents. */

import type { Span } from './span.ts'
import type { RunSpans } from './timeline.ts'

export type TimelineRow =
  | {
      readonly kind: 'run'
      readonly key: string
      readonly level: number
      readonly run: RunSpans
      readonly isOpen: boolean
    }
  | {
      readonly kind: 'span'
      readonly key: string
      readonly level: number
      readonly run: RunSpans
      readonly span: Span
    }

/** Returns the visible rows; the parts of a run are in order of their starts. */
export function timelineRows(
  runs: readonly RunSpans[],
  isOpen: (run: string) => boolean,
): readonly TimelineRow[] {
  const [root] = runs
  if (!root) return []
  const children = new Map<string, RunSpans[]>()
  for (const run of runs) {
    if (run.parent === undefined) continue
    const siblings = children.get(run.parent)
    if (siblings) siblings.push(run)
    else children.set(run.parent, [run])
  }
  const runIds = new Set(runs.map(({ run_id }) => run_id))
  const rows: TimelineRow[] = []
  const add = (run: RunSpans): void => {
    const level = run.depth + 1
    const open = isOpen(run.run_id)
    rows.push({ kind: 'run', key: run.run_id, level, run, isOpen: open })
    if (!open) return
    // The row of the subagent stands for the call that started it.
    const spans = run.spans.filter(
      ({ kind, child }) => kind !== 'tool' || child === undefined || !runIds.has(child),
    )
    const parts: (Span | RunSpans)[] = [...spans, ...(children.get(run.run_id) ?? [])]
    parts.sort((first, second) => first.start - second.start)
    for (const part of parts) {
      if ('spans' in part) add(part)
      else rows.push({ kind: 'span', key: part.id, level: level + 1, run, span: part })
    }
  }
  add(root)
  return rows
}

/** Bar of one span, or of several spans that are too narrow to be drawn apart. */
export interface Bar {
  readonly span: Span
  readonly from: number
  readonly to: number
  readonly count: number
}

/**
 * Merges adjacent bars that are narrower than `least`, in order of start. Positions are shares of
 * the visible part.
 */
export function mergedBars(bars: readonly Bar[], least: number): readonly Bar[] {
  const merged: Bar[] = []
  const narrow = ({ from, to }: Bar): boolean => to - from < least
  for (const bar of [...bars].sort((first, second) => first.from - second.from)) {
    const last = merged.at(-1)
    if (last && narrow(last) && narrow(bar) && bar.from - last.from < least) {
      const count = last.count + bar.count
      merged[merged.length - 1] = { ...last, to: Math.max(last.to, bar.to), count }
    } else merged.push(bar)
  }
  return merged
}
