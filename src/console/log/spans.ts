/**
 * Reads the spans of a run from its events. Names, order, and times equal those of an exported
 * trace (`core/trace`); open work ends now.
 */

import type { RunEvent } from '../../client/index.ts'
import type { Span } from './span.ts'

interface Open {
  readonly at: number
  readonly seq: number
  readonly name: string
  readonly tool?: string
}

type Of<T> = Extract<RunEvent, { type: T }>

/** Event types after which a model call can start, as in `core/trace/reading.ts`. */
const READY: ReadonlySet<string> = new Set([
  'run.created',
  'run.started',
  'assistant.message',
  'tool.result',
  'subagent.spawned',
  'barrier.released',
  'run.resumed',
  'transcript.compacted',
  'memory.noted',
  'memory.flushed',
  'approval.decided',
])

export const isRunEnd = (type: string): boolean =>
  /^run\.(?:completed|failed|cancelled|timed_out)$/.test(type)

export const timeOf = (text: string): number => Date.parse(text)

/** Reads a run's events in order of their sequence numbers. */
export class SpanReader {
  readonly spans: Span[] = []
  readonly #run: string
  readonly #tools = new Map<string, Open>()
  readonly #persons = new Map<string, Open>()
  readonly #children = new Map<string, string>()
  #wait: Open | undefined
  /** Subagents that were announced since the last barrier. */
  #announced: string[] = []
  /** Positions of waits in `spans` after which no work with a known start has been recorded. */
  #waited: number[] = []
  #ready = 0
  #model: string | undefined
  /** Number of answers, and sequence number of the newest event. */
  #steps = 0
  #seq = 0

  constructor(run: string) {
    this.#run = run
  }

  take(event: RunEvent): void {
    const at = timeOf(event.created_at)
    this.#apply(event, at)
    this.#seq = event.seq
    if (READY.has(event.type)) this.#ready = at
    if (isRunEnd(event.type)) this.#end(event, at)
  }

  /** Emits open work as spans that end now. */
  close(now: number): void {
    const wait = this.#wait
    if (wait) this.#addWait(wait, now, 'open')
    for (const [call, open] of this.#persons) this.#addPerson(call, open, now, open.seq, 'open')
    for (const [call, open] of this.#tools) {
      if (!this.#persons.has(call)) this.#addTool(call, open, now, open.seq, { outcome: 'open' })
    }
    // A started run that waits for nothing else is calling its model.
    if (this.#model !== undefined && !wait && this.#tools.size === 0) this.#addModelCall(now)
  }

  #addModelCall(now: number): void {
    const name = `chat ${withoutProvider(this.#model ?? '')}`
    const times = { start: this.#ready, end: now, isEstimated: true } as const
    const span = { kind: 'model', name, ...times, seq: this.#seq, step: this.#steps } as const
    this.#add(span, 'chat open', 'open')
  }

  #apply(event: RunEvent, at: number): void {
    switch (event.type) {
      case 'run.started':
        return this.#started(event, at)
      case 'assistant.message':
        return this.#answered(event, at)
      case 'assistant.discarded':
      case 'transcript.compacted':
      case 'memory.noted':
        return this.#sideCall(event, at)
      case 'tool.result':
        return this.#resulted(event, at)
      case 'subagent.spawned':
        return this.#spawned(event, at)
      case 'approval.requested': {
        const { call, tool } = event.data
        return void this.#persons.set(call, { at, seq: event.seq, name: 'approval', tool })
      }
      case 'question.asked':
        return void this.#persons.set(event.data.call, { at, seq: event.seq, name: 'question' })
      case 'approval.decided':
      case 'question.answered':
        return this.#decided(event.data.call, at, event.seq)
      case 'run.waiting':
        return this.#waiting(event, at)
      case 'subagent.announced':
      case 'subagent.failed':
        return void this.#announced.push(event.data.announce.run_id)
      case 'run.resumed':
        return this.#endWait(at)
      case 'barrier.released':
        this.#endWait(at)
        return this.#released(event.data.reason === 'joined')
    }
  }

  #started({ data, created_at, seq }: Of<'run.started'>, at: number): void {
    this.#model = data.model
    const began = Math.min(at, timeOf(data.began_at ?? created_at))
    if (this.#ready > 0 && began > this.#ready) {
      this.#add({ kind: 'queued', name: 'queued', start: this.#ready, end: began, seq }, 'queued')
    }
  }

  #answered({ data, seq }: Of<'assistant.message'>, at: number): void {
    const { began_at, duration_ms = 0, step } = data
    this.#steps = step + 1
    const start = began_at === undefined ? this.#ready : Math.min(at, timeOf(began_at))
    const end = began_at === undefined ? at : Math.min(at, timeOf(began_at) + duration_ms)
    this.#add(
      {
        ...{ kind: 'model', name: `chat ${withoutProvider(data.model)}`, start, end, seq, step },
        ...(began_at === undefined ? { isEstimated: true } : {}),
      },
      `chat ${step}`,
    )
    for (const { id, tool, mode } of data.calls) {
      if (mode !== 'refused') this.#tools.set(id, { at: end, seq, name: tool })
    }
    this.#endWait(at)
  }

  #sideCall(
    { type, data, seq }: Of<'assistant.discarded' | 'transcript.compacted' | 'memory.noted'>,
    at: number,
  ): void {
    if (data.model === null) return
    const name = `chat ${withoutProvider(data.model)}`
    const { step } = data
    const times = { start: this.#ready, end: at, isEstimated: true } as const
    this.#add({ kind: 'model', name, ...times, seq, step }, `${type} ${seq}`)
  }

  #resulted({ data, seq }: Of<'tool.result'>, at: number): void {
    const open = this.#tools.get(data.call)
    if (!open) return
    this.#tools.delete(data.call)
    const { began_at, duration_ms, status } = data
    const start = began_at === undefined ? undefined : Math.min(at, timeOf(began_at))
    const end = start === undefined ? at : Math.min(at, start + duration_ms)
    this.#addTool(data.call, open, end, seq, { start, outcome: status })
  }

  #spawned({ data, seq }: Of<'subagent.spawned'>, at: number): void {
    this.#children.set(data.call, data.run_id)
    const open = this.#tools.get(data.call)
    if (data.wait || !open) return
    // The outcome of a waited subagent is the result of its call.
    this.#tools.delete(data.call)
    this.#addTool(data.call, open, at, seq, { outcome: 'ok' })
  }

  #addTool(
    call: string,
    open: Open,
    end: number,
    seq: number,
    { start, outcome }: { readonly start?: number | undefined; outcome: Span['outcome'] },
  ): void {
    const child = this.#children.get(call)
    this.#add(
      {
        ...{ kind: 'tool', name: `execute_tool ${open.name}`, start: start ?? open.at, end, seq },
        call,
        ...(child === undefined ? {} : { child }),
        ...(start === undefined ? { isEstimated: true } : {}),
      },
      `call ${call}`,
      outcome,
    )
  }

  #decided(call: string, at: number, seq: number): void {
    const open = this.#persons.get(call)
    if (!open) return
    this.#persons.delete(call)
    this.#addPerson(call, open, at, seq, 'ok')
  }

  #addPerson(
    call: string,
    { at, name, tool }: Open,
    end: number,
    seq: number,
    outcome: Span['outcome'],
  ): void {
    const spanName = tool === undefined ? name : `${name} ${tool}`
    const key = `${name} ${call} ${at}`
    this.#add({ kind: 'person', name: spanName, start: at, end, seq, call }, key, outcome)
  }

  #waiting({ data, seq }: Of<'run.waiting'>, at: number): void {
    this.#endWait(at)
    const { on, error, step, attempt } = data
    if (error && step !== undefined) this.#failed(at, seq, step, attempt)
    this.#wait = { at, seq, name: on }
    this.#ready = at
  }

  #endWait(at: number): void {
    const wait = this.#wait
    if (!wait) return
    this.#wait = undefined
    this.#addWait(wait, at, 'ok')
  }

  #addWait({ at, seq, name }: Open, end: number, outcome: Span['outcome']): void {
    const span = { name: `wait ${name}`, on: name, start: at, end, seq } as const
    this.#add({ kind: 'wait', ...span }, `wait ${seq}`, outcome)
  }

  /** Notes the subagents that released the last wait. */
  #released(isJoined: boolean): void {
    const released = this.#announced
    this.#announced = []
    const position = this.#waited.at(-1)
    const wait = position === undefined ? undefined : this.spans[position]
    if (!isJoined || wait?.kind !== 'wait' || position === undefined) return
    this.spans[position] = { ...wait, released }
  }

  /** Notes that the waits before a span were over when the span began. */
  #beganAt(start: number): void {
    for (const position of this.#waited.splice(0)) {
      const wait = this.spans[position]
      if (wait && wait.end > start) {
        this.spans[position] = { ...wait, until: Math.max(wait.start, start) }
      }
    }
  }

  #failed(at: number, seq: number, step: number, attempt: number | undefined): void {
    const name = this.#model === undefined ? 'chat' : `chat ${withoutProvider(this.#model)}`
    const times = { start: this.#ready, end: at, isEstimated: true } as const
    const span = { kind: 'model', name, ...times, seq, step } as const
    this.#add(span, `chat ${step} attempt ${attempt ?? 'last'}`, 'error')
  }

  #end(event: RunEvent, at: number): void {
    this.#endWait(at)
    if (event.type === 'run.failed' && event.data.step !== undefined) {
      this.#failed(at, event.seq, event.data.step, undefined)
    }
    for (const call of [...this.#persons.keys()]) this.#decided(call, at, event.seq)
    for (const [call, open] of this.#tools) {
      this.#addTool(call, open, at, event.seq, { outcome: 'error' })
    }
    this.#tools.clear()
  }

  #add(
    span: Omit<Span, 'id' | 'run_id' | 'outcome'>,
    key: string,
    outcome: Span['outcome'] = 'ok',
  ): void {
    const start = Math.min(span.start, span.end)
    if (span.kind === 'wait' || span.kind === 'person') this.#waited.push(this.spans.length)
    else if (!span.isEstimated && span.kind !== 'queued') this.#beganAt(start)
    this.spans.push({ ...span, start, outcome, id: `${this.#run} ${key}`, run_id: this.#run })
  }
}

/** Returns a model name without the provider prefix. */
const withoutProvider = (model: string): string => model.slice(model.indexOf('/') + 1)
