/**
 * Reads a run's log once: tracks starts and open calls, and emits a span for each ended operation.
 */

import { addUsage, NO_USAGE, type Usage } from '../message.ts'
import type {
  AssistantMessage,
  LoggedFact,
  MessageReceived,
  RunFact,
  RunSpec,
} from '../run/log/facts.ts'
import { isTerminalFact } from '../run/log/facts.ts'
import {
  askedOf,
  chatOf,
  type FailedCall,
  failedOf,
  type Part,
  type SideCall,
} from './chat-spans.ts'
import { callSpan, runSpan, spanId, type TraceContext } from './context.ts'
import type { Span, SpanError, SpanLink } from './span.ts'

interface Since {
  readonly at: number
  readonly name: string
  readonly tool?: string
  readonly links?: readonly SpanLink[]
}

/** Fact types after which a model call can start. No such fact is written during a model call. */
const READY: ReadonlySet<RunFact['type']> = new Set([
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

export class Reading {
  readonly spans: Span[] = []
  readonly #spec: RunSpec
  readonly #trace: TraceContext
  readonly #tools = new Map<string, Since>()
  readonly #people = new Map<string, Since>()
  readonly #children = new Map<string, string>()
  readonly #live = new Set<string>()
  #wait: Since | undefined
  #waits = 0
  #ready = 0
  /** Time at which the run started its work. */
  began: number | undefined
  model: string | undefined
  /** Usage of the run's model calls, without its subagents. */
  used: Usage = NO_USAGE

  constructor(spec: RunSpec, trace: TraceContext) {
    this.#spec = spec
    this.#trace = trace
  }

  take(entry: LoggedFact<RunFact>): void {
    this.#applyFact(entry)
    if (READY.has(entry.fact.type)) this.#ready = entry.at
    if (isTerminalFact(entry.fact)) this.#over(entry.at, entry.fact)
  }

  #applyFact({ seq, at, fact }: LoggedFact<RunFact>): void {
    switch (fact.type) {
      case 'run.started':
        this.began = Math.min(at, fact.began_at ?? at)
        this.model = fact.model
        return
      case 'assistant.message':
        return this.#recordAnswer(at, fact)
      case 'assistant.discarded':
        return this.#recordSideCall(at, {
          ...fact,
          about: `discarded ${seq}`,
          purpose: 'discarded',
        })
      case 'transcript.compacted':
        if (fact.model === null) return
        return this.#recordSideCall(at, {
          ...fact,
          about: `compact ${fact.step}`,
          purpose: 'compaction',
        })
      case 'memory.noted':
        if (fact.model === null) return
        return this.#recordSideCall(at, { ...fact, about: `note ${fact.step}`, purpose: 'memory' })
      case 'tool.result':
        return this.#resulted(at, fact)
      case 'subagent.spawned':
        this.#children.set(fact.call, fact.run_id)
        this.#live.add(fact.run_id)
        // The outcome of a waited subagent is the result of its call.
        if (!fact.wait) this.#endCall(fact.call, at)
        return
      case 'message.received':
        return this.#message(at, fact)
      case 'subagent.announced':
      case 'subagent.failed':
        return void this.#live.delete(fact.announce.run_id)
      case 'approval.requested':
        return void this.#people.set(fact.call, { at, name: 'approval', tool: fact.tool })
      case 'question.asked':
        return void this.#people.set(fact.call, { at, name: 'question' })
      case 'approval.decided':
        return this.#decided(fact.call, at, fact.decision)
      case 'question.answered':
        return this.#decided(fact.call, at, fact.outcome)
      case 'run.waiting':
        return this.#waiting(at, fact)
      case 'run.resumed':
      case 'barrier.released':
        return this.#goesOn(at)
    }
  }

  #recordAnswer(at: number, fact: AssistantMessage): void {
    this.used = addUsage(this.used, fact.usage)
    const span = chatOf(this.#spec.id, fact, { at, ready: this.#ready, model: this.model })
    this.#add(span)
    const { end } = span
    for (const { id, tool, mode } of fact.calls) {
      if (mode !== 'refused') this.#tools.set(id, { at: end, name: tool })
    }
    this.#goesOn(at)
  }

  #resulted(at: number, fact: Extract<RunFact, { readonly type: 'tool.result' }>): void {
    const { began_at, duration_ms, status } = fact
    const start = began_at === undefined ? undefined : Math.min(at, began_at)
    const end = start === undefined ? at : Math.min(at, start + duration_ms)
    const error = status === 'ok' ? undefined : { type: `tool_${status}` }
    this.#endCall(fact.call, end, { start, error })
  }

  /** Ends the span of a tool call. A call rejected before its start has no span. */
  #endCall(
    call: string,
    end: number,
    {
      start,
      error,
    }: { readonly start?: number | undefined; readonly error?: SpanError | undefined } = {},
  ): void {
    const since = this.#tools.get(call)
    if (!since) return
    this.#tools.delete(call)
    const child = this.#children.get(call)
    this.#add({
      id: callSpan(this.#spec.id, call),
      name: `execute_tool ${since.name}`,
      start: start ?? since.at,
      end,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': since.name,
        'gen_ai.tool.call.id': call,
        'gen_ai.tool.type': since.name.startsWith('mcp__') ? 'extension' : 'function',
        'strata.child.run.id': child,
      },
      ...(error ? { error } : {}),
      ...(child === undefined ? {} : { links: [{ span: runSpan(child) }] }),
    })
  }

  #decided(call: string, at: number, outcome: string): void {
    const since = this.#people.get(call)
    if (!since) return
    this.#people.delete(call)
    this.#waits += 1
    this.#add({
      id: spanId(this.#spec.id, since.name, call, this.#waits),
      name: since.tool === undefined ? since.name : `${since.name} ${since.tool}`,
      start: since.at,
      end: at,
      attributes: {
        'gen_ai.tool.name': since.tool,
        'gen_ai.tool.call.id': call,
        'strata.wait.on': since.name,
        'strata.wait.outcome': outcome,
      },
    })
  }

  #waiting(at: number, fact: Extract<RunFact, { readonly type: 'run.waiting' }>): void {
    this.#goesOn(at)
    const { on, error, step, attempt } = fact
    if (error && step !== undefined) this.#failed(at, { step, attempt, error })
    const links = on === 'subagents' ? [...this.#live].map((id) => ({ span: runSpan(id) })) : []
    this.#wait = { at, name: on, links }
    this.#ready = at
  }

  #goesOn(at: number): void {
    const wait = this.#wait
    if (!wait) return
    this.#wait = undefined
    this.#waits += 1
    this.#add({
      id: spanId(this.#spec.id, 'wait', this.#waits),
      name: `wait ${wait.name}`,
      start: wait.at,
      end: at,
      attributes: { 'strata.wait.on': wait.name },
      ...(wait.links?.length ? { links: wait.links } : {}),
    })
  }

  /** Links the trace of the service that sent a message. */
  #message(at: number, { message_id, caller }: MessageReceived): void {
    if (!caller) return
    this.#add({
      id: spanId(this.#spec.id, 'message', message_id),
      name: 'message',
      ...{ start: at, end: at },
      attributes: { 'strata.message.id': message_id },
      links: [{ trace: caller.trace, span: caller.span }],
    })
  }

  /** Ends all open spans when the run ends. */
  #over(at: number, fact: RunFact): void {
    this.#goesOn(at)
    if (fact.type === 'run.failed' && fact.step !== undefined)
      this.#failed(at, { step: fact.step, error: fact.error })
    for (const call of this.#people.keys()) this.#decided(call, at, 'run_ended')
    for (const call of this.#tools.keys()) this.#endCall(call, at, { error: UNFINISHED })
  }

  #recordSideCall(at: number, sideCall: SideCall): void {
    this.used = addUsage(this.used, sideCall.usage)
    this.#add(askedOf(this.#spec.id, sideCall, { at, ready: this.#ready, model: this.model }))
  }

  #failed(at: number, failed: FailedCall): void {
    this.#add(failedOf(this.#spec.id, failed, { at, ready: this.#ready, model: this.model }))
  }

  #add(part: Part): void {
    const start = Math.min(part.start, part.end)
    this.spans.push({
      trace: this.#trace.id,
      parent: runSpan(this.#spec.id),
      kind: 'internal',
      ...part,
      start,
    })
  }
}

const UNFINISHED: SpanError = { type: 'run_ended' }
