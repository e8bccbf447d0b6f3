/**
 * Arranges the spans of a run and its subagents as the rows of a timeline. The same events give the
 * same rows, in any order and with duplicates.
 */

import type { RunEvent } from '../../client/index.ts'
import type { Span } from './span.ts'
import { isRunEnd, SpanReader, timeOf } from './spans.ts'

export interface RunSpans {
  readonly run_id: string
  /** Run that spawned this run; absent for the root. */
  readonly parent?: string
  /** Number of ancestors in the tree. */
  readonly depth: number
  readonly agent: string
  readonly label: string | null
  /** Creation and end in milliseconds since 1970; an open run ends now. */
  readonly start: number
  readonly end: number
  readonly status: 'open' | 'completed' | 'failed' | 'cancelled' | 'timed_out'
  /** Spans in order of their ends. */
  readonly spans: readonly Span[]
}

interface Spawn {
  readonly parent: string
  readonly agent: string
  readonly label: string | null
}

/** Returns the rows of the root and all runs below it, each parent before its subagents. */
export function timelineOf(
  events: readonly RunEvent[],
  root: string,
  now: number,
): readonly RunSpans[] {
  const logs = new Map<string, RunEvent[]>()
  for (const event of events) {
    const log = logs.get(event.run_id)
    if (log) log.push(event)
    else logs.set(event.run_id, [event])
  }
  const rows: RunSpans[] = []
  const add = (run_id: string, depth: number, spawn: Spawn | undefined): void => {
    const log = inOrder(logs.get(run_id) ?? [])
    if (log.length > 0) rows.push(rowOf(run_id, log, depth, spawn, now))
    for (const event of log) {
      if (event.type !== 'subagent.spawned') continue
      const { run_id: child, agent, label } = event.data
      add(child, depth + 1, { parent: run_id, agent, label: label ?? null })
    }
  }
  add(root, 0, undefined)
  return rows
}

function inOrder(log: readonly RunEvent[]): readonly RunEvent[] {
  const bySeq = new Map(log.map((event) => [event.seq, event]))
  return [...bySeq.values()].sort((first, second) => first.seq - second.seq)
}

function rowOf(
  run_id: string,
  log: readonly RunEvent[],
  depth: number,
  spawn: Spawn | undefined,
  now: number,
): RunSpans {
  const reader = new SpanReader(run_id)
  let agent = spawn?.agent ?? ''
  let label: string | null = spawn?.label ?? null
  let status: RunSpans['status'] = 'open'
  let end = now
  for (const event of log) {
    reader.take(event)
    if (event.type === 'run.created') {
      agent = event.data.agent
      label = (event.data.label as string | null | undefined) ?? null
    } else if (event.type === 'run.started') agent = event.data.agent
    else if (isRunEnd(event.type)) {
      status = event.type.slice('run.'.length) as RunSpans['status']
      end = timeOf(event.created_at)
    }
  }
  if (status === 'open') reader.close(now)
  const parent = spawn === undefined ? {} : { parent: spawn.parent }
  const start = timeOf(log[0]!.created_at)
  return { run_id, ...parent, depth, agent, label, start, end, status, spans: reader.spans }
}
