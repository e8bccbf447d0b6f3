/**
 * A tree of runs as stretches of time, read from its events alone: queued, at the model, in tools,
 * waiting and for what. The same events give the same picture, in whatever order they came.
 */

import type { RunEvent } from '../../../client/index.ts'

export type SpanKind = 'queued' | 'model' | 'tool' | 'waiting' | 'approval'

export interface Span {
  readonly id: string
  readonly kind: SpanKind
  readonly name: string
  /** Milliseconds since 1970; what is under way ends now. */
  readonly from: number
  readonly to: number
  readonly failed: boolean
  /** On the path that the end of the tree waited for. */
  critical: boolean
}

export interface RunLine {
  readonly runId: string
  readonly agent: string
  readonly label: string | undefined
  readonly depth: number
  readonly parent: string | undefined
  readonly from: number
  readonly to: number
  readonly spans: readonly Span[]
}

const time = (text: string): number => Date.parse(text)

interface Raw {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly seq: number
  readonly id: string
}

/** `now`: until when what has no end yet is drawn. */
export function linesOf(events: readonly RunEvent[], rootId: string, now: number): RunLine[] {
  const byRun = Map.groupBy(events, ({ run_id }) => run_id)
  const parents = new Map<string, { readonly by: string; readonly label: string | undefined }>()
  for (const [runId, own] of byRun) {
    for (const { type, data } of own as readonly Raw[]) {
      const child = data?.run_id
      if (type === 'subagent.spawned' && typeof child === 'string') {
        parents.set(child, { by: runId, label: textOf(data.label) })
      }
    }
  }
  const children = Map.groupBy(parents.keys(), (id) => parents.get(id)?.by)
  const lines: RunLine[] = []
  const add = (runId: string, depth: number): void => {
    const own = unique(byRun.get(runId) ?? [])
    if (own.length > 0) lines.push(lineOf(runId, own, depth, parents.get(runId), now))
    for (const child of children.get(runId) ?? []) add(child, depth + 1)
  }
  add(rootId, 0)
  markCritical(lines)
  return lines
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

function unique(events: readonly RunEvent[]): readonly Raw[] {
  const bySeq = new Map(events.map((event) => [event.seq, event as unknown as Raw]))
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq)
}

const ENDED = /^run\.(?:completed|failed|cancelled|timed_out)$/

function lineOf(
  runId: string,
  events: readonly Raw[],
  depth: number,
  parent: { readonly by: string; readonly label: string | undefined } | undefined,
  now: number,
): RunLine {
  const from = time(events[0]!.created_at)
  const last = events.at(-1)!
  const to = ENDED.test(last.type) ? time(last.created_at) : now
  const started = events.find(({ type }) => type === 'run.started')
  return {
    ...{ runId, depth, from, to },
    parent: parent?.by,
    label: parent?.label,
    agent: textOf(started?.data.agent) ?? textOf(events[0]!.data.agent) ?? '',
    spans: spansOf(events, from, to),
  }
}

function spansOf(events: readonly Raw[], from: number, to: number): Span[] {
  const spans: Span[] = []
  const span = (one: Omit<Span, 'critical'>): void => void spans.push({ ...one, critical: false })
  let waiting: Raw | undefined
  const close = (at: number): void => {
    if (!waiting) return
    const on = textOf(waiting.data.on) ?? ''
    const kind = on === 'approval' ? 'approval' : on === 'session' ? 'queued' : 'waiting'
    span({ id: waiting.id, kind, name: on, from: time(waiting.created_at), to: at, failed: false })
    waiting = undefined
  }
  const started = events.find(({ type }) => type === 'run.started')
  // It may be written only with the first answer: it says itself when it began.
  const begun = started ? time(textOf(started.data.began_at) ?? started.created_at) : to
  if (begun > from) {
    span({
      id: `${events[0]!.id} queued`,
      kind: 'queued',
      name: '',
      from,
      to: begun,
      failed: false,
    })
  }
  let before = from
  for (const event of events) {
    const at = time(event.created_at)
    const { type, data, id } = event
    if (type === 'run.waiting') {
      close(at)
      waiting = event
    } else if (type === 'run.resumed' || ENDED.test(type)) close(at)
    else if (type === 'assistant.message' || type === 'assistant.discarded') {
      const failed = type === 'assistant.discarded'
      span({
        id,
        kind: 'model',
        name: textOf(data.model) ?? '',
        ...during(data, at, before),
        failed,
      })
    } else if (type === 'tool.result') {
      const failed = data.status !== 'ok'
      span({ id, kind: 'tool', name: textOf(data.tool) ?? '', ...during(data, at), failed })
    }
    before = type === 'run.started' ? begun : at
  }
  close(to)
  return spans
}

/** `before`: when it began at the latest, where the event does not say. */
function during(
  data: Readonly<Record<string, unknown>>,
  at: number,
  before = at,
): { readonly from: number; readonly to: number } {
  const ms = typeof data.duration_ms === 'number' ? data.duration_ms : at - before
  const began = textOf(data.began_at)
  const from = began === undefined ? at - ms : time(began)
  return { from, to: Math.max(from, from + ms) }
}

/** Backwards from the end: at each moment what ended last, in a child where the parent waits. */
function markCritical(lines: readonly RunLine[]): void {
  const byParent = Map.groupBy(lines, ({ parent }) => parent)
  const walk = (line: RunLine, until: number): void => {
    let at = until
    const own = [...line.spans].sort((one, other) => other.to - one.to)
    for (const span of own) {
      if (span.from >= at || span.to > at + SLACK_MS) continue
      span.critical = true
      if (span.kind === 'waiting' && span.name === 'subagents') {
        const kin = (byParent.get(line.runId) ?? []).filter(({ to }) => to <= span.to + SLACK_MS)
        const latest = kin.sort((one, other) => other.to - one.to)[0]
        if (latest) walk(latest, latest.to)
      }
      at = span.from
    }
  }
  const [root] = lines
  if (root) walk(root, root.to)
}
/** Moments of different processes differ a little. */
const SLACK_MS = 50
