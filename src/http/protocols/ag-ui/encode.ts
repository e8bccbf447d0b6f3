/**
 * Encodes a conversation turn as AG-UI events. Events derived from a fact name the run and log
 * position (`metadata.strata`). The last event of a fact has the fact's seq as its server-sent
 * event ID, so the ID confirms all earlier events.
 */

import { preview } from '../../../core/message.ts'
import { questionOf } from '../../../core/run/human-input/pause.ts'
import { openQuestion } from '../../../core/run/human-input/question.ts'
import type {
  LoggedFact,
  RunFact,
  SubagentAnnounced,
  SubagentFailed,
  TerminalFact,
} from '../../../core/run/log/facts.ts'
import type { Call } from '../../../core/run/state/state.ts'
import { iso } from '../../../lib/time.ts'
import { Speech, type SpeechPiece } from '../../stream/speech.ts'
import type { Sink } from '../../stream/sse.ts'
import type { TurnEncoder } from '../../turn/follow.ts'
import { questionText } from '../../turn/question.ts'
import type { TurnView } from '../../turn/view.ts'
import { callName, messageId } from '../openai/ids.ts'
import { textShown } from '../openai/output.ts'

const VERSION = '1.0'

interface Ids {
  readonly threadId: string
  readonly runId: string
}
type Event = { readonly type: string } & Readonly<Record<string, unknown>>

interface Reader {
  /** Log position up to which the client has received events. */
  readonly after: number
  /** Names of request members that were ignored. */
  readonly ignored: readonly string[]
}

export const tellAgUi =
  (ids: Ids, reader: Reader) =>
  (sink: Sink): TurnEncoder =>
    new AgUiEncoder(sink, ids, reader)

class AgUiEncoder implements TurnEncoder {
  readonly #sink: Sink
  readonly #ids: Ids
  readonly #ignored: readonly string[]
  readonly #speech = new Speech()
  /** Seq of the last fact whose events the client has. */
  #seq: number
  #view: TurnView | undefined
  #hasBegun = false
  /** ID of the open message, which contains the number of restarts of its step. */
  #open: string | undefined
  #restart = { step: -1, times: 0 }

  constructor(sink: Sink, ids: Ids, { after, ignored }: Reader) {
    this.#sink = sink
    this.#ids = ids
    this.#ignored = ignored
    this.#seq = after
  }

  tell(view: TurnView): boolean {
    this.#view = view
    if (!this.#hasBegun) this.#begin(view)
    for (const entry of view.facts) {
      if (entry.seq <= this.#seq) continue
      this.#sendAll(entry.seq, this.#eventsOf(view, entry))
      this.#seq = entry.seq
    }
    this.#flush()
    if (view.end === undefined) return false
    const voided = this.#voidOpen(nextStep(view))
    this.#sendAll(view.facts.at(-1)!.seq, [...voided, this.#ending(view)])
    return true
  }

  piece(step: number, at: number, text: string): void {
    this.#speech.piece(step, at, text)
    this.#flush()
  }

  reset(step: number): void {
    this.#speech.reset(step)
  }

  late(): void {
    const run = this.#view?.run
    const message = `The run ${run} continues; send the same request with Last-Event-ID.`
    this.#send({ type: 'RUN_ERROR', code: 'still_running', message })
  }

  #begin(view: TurnView): void {
    this.#hasBegun = true
    const first = view.facts[0]?.seq ?? this.#seq
    const ignored = this.#ignored.length === 0 ? {} : { ignored: this.#ignored }
    const metadata = { strata: { run_id: view.run, seq: first, ...ignored } }
    this.#send({ type: 'RUN_STARTED', ...this.#ids, protocolVersion: VERSION, metadata })
  }

  #eventsOf(view: TurnView, { seq, fact }: LoggedFact<RunFact>): Event[] {
    switch (fact.type) {
      case 'assistant.message':
        return this.#stepEvents(view, fact.step)
      case 'tool.result':
      case 'subagent.spawned':
        return resultOf(view, fact.call)
      case 'subagent.announced':
      case 'subagent.failed':
        return announced(view, fact)
      case 'question.asked': {
        const id = messageId(view.run, `${view.state.calls.get(fact.call)?.step}_q`)
        return textMessage(id, fact.questions.map(questionText).join('\n\n'))
      }
      case 'approval.requested':
      case 'subagent.waiting':
        return [{ type: 'CUSTOM', name: `strata.${fact.type}`, value: { ...fact, seq } }]
      case 'run.waiting': {
        if (fact.on !== 'model') return []
        const { step = 0 } = fact
        this.#speech.end(step, '')
        const waits = { type: 'CUSTOM', name: `strata.${fact.type}`, value: { ...fact, seq } }
        return [...this.#voidOpen(step), waits]
      }
      default:
        return []
    }
  }

  #stepEvents(view: TurnView, step: number): Event[] {
    const stepView = view.steps.find((candidate) => candidate.step === step)
    if (!stepView) return []
    const text = textShown(view, stepView)
    const textEvents =
      text === ''
        ? this.#voidOpen(step)
        : [...this.#speechEvents(this.#speech.end(step, text)), ...this.#close()]
    const parentMessageId = messageId(view.run, step)
    const calls = stepView.calls.flatMap(({ index, tool, arguments: delta }): Event[] => {
      const toolCallId = callName({ run: view.run, step, index })
      const start = { toolCallId, toolCallName: tool, parentMessageId }
      return [
        { type: 'TOOL_CALL_START', ...start },
        { type: 'TOOL_CALL_ARGS', toolCallId, delta },
        { type: 'TOOL_CALL_END', toolCallId },
      ]
    })
    return [...textEvents, ...calls]
  }

  #flush(): void {
    const view = this.#view
    if (!view || view.isShaped || view.end !== undefined) return
    const piece = this.#speech.next(nextStep(view))
    if (piece) for (const event of this.#speechEvents(piece)) this.#send(event)
  }

  /**
   * Text that was sent cannot be retracted. The void message is therefore named, and another
   * message starts.
   */
  #speechEvents({ step, text, goesOn, sent }: SpeechPiece): Event[] {
    const voided = !goesOn && sent !== '' ? this.#voidOpen(step) : []
    const id = this.#idOf(step)
    const start =
      this.#open === id ? [] : [{ type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' }]
    this.#open = id
    const content =
      text === '' ? [] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: text }]
    return [...voided, ...start, ...content]
  }

  #idOf(step: number): string {
    const { step: restartedStep, times } = this.#restart
    return messageId(this.#view!.run, restartedStep === step ? `${step}_${times}` : step)
  }

  /** Ends and reports a void message that never became part of the log. */
  #voidOpen(step: number): Event[] {
    const value = this.#open
    if (value === undefined) return []
    this.#restart = { step, times: this.#restart.step === step ? this.#restart.times + 1 : 1 }
    return [...this.#close(), { type: 'CUSTOM', name: 'strata.text.void', value }]
  }

  #close(): Event[] {
    const id = this.#open
    this.#open = undefined
    return id === undefined ? [] : [{ type: 'TEXT_MESSAGE_END', messageId: id }]
  }

  #ending(view: TurnView): Event {
    const { end, usage, state } = view
    const base = { type: 'RUN_FINISHED', ...this.#ids }
    const { input_tokens: inputTokens, output_tokens: outputTokens } = usage
    const model = state.started?.model
    const used = { ...(model ? { model } : {}), inputTokens, outputTokens }
    const usageData = { usage: [used] }
    if (end === 'parked' || end === undefined)
      return { ...base, outcome: parked(view), ...usageData }
    return end.type === 'run.failed' || end.type === 'run.timed_out'
      ? { type: 'RUN_ERROR', ...end.error, ...usageData }
      : { ...base, ...ended(view.run, end), ...usageData }
  }

  /** Sends all events of a fact; only the last event has an ID, which confirms the others. */
  #sendAll(seq: number, events: readonly Event[]): void {
    const metadata = { strata: { run_id: this.#view!.run, seq } }
    for (const [index, event] of events.entries())
      this.#send({ ...event, metadata }, index === events.length - 1 ? seq : undefined)
  }

  #send(event: Event, seq?: number): void {
    const id = seq === undefined ? '' : `id: ${seq}\n`
    this.#sink.send(`${id}data: ${JSON.stringify(event)}\n\n`)
  }
}

const nextStep = ({ first, steps }: TurnView): number => first + steps.length

const textMessage = (id: string, delta: string): Event[] => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta },
  { type: 'TEXT_MESSAGE_END', messageId: id },
]

function resultOf(view: TurnView, id: string): Event[] {
  const call = view.state.calls.get(id)
  if (!call?.result || call.mode === 'caller' || call.mode === 'question') return []
  const { step, index } = call
  const calls = view.steps.find((stepView) => stepView.step === step)?.calls
  const content = calls?.find((item) => item.index === index)?.result?.text
  if (content === undefined) return []
  const toolCallId = callName({ run: view.run, step, index })
  const result = { messageId: `${toolCallId}_result`, toolCallId, content, role: 'tool' }
  return [{ type: 'TOOL_CALL_RESULT', ...result }]
}

/**
 * Returns the event for a subagent's end: the result of the call that waited for the subagent,
 * otherwise a notice.
 */
function announced(view: TurnView, { call: id, announce }: SubagentAnnounced | SubagentFailed) {
  const { run_id, agent, label, status, result, error } = announce
  const call = view.state.calls.get(id)
  if (!call || call.result) {
    const value = { run_id, agent, label, status }
    return [{ type: 'CUSTOM', name: 'strata.subagent.announced', value }]
  }
  const toolCallId = callName({ run: view.run, step: call.step, index: call.index })
  const content = result === null ? (error?.message ?? status) : preview(result)
  const toolResult = { messageId: `${toolCallId}_result`, toolCallId, content, role: 'tool' }
  return [{ type: 'TOOL_CALL_RESULT', ...toolResult }]
}

/**
 * Returns the interrupt of a waiting run, which needs results of the client's tools or a user's
 * answer.
 */
function parked({ run, state, questions }: TurnView) {
  const nameOf = ({ step, index }: Call) => callName({ run, step, index })
  const open = openQuestion(state)
  const question = open && questionOf(open)
  if (open && question) {
    const form = questions.length === 1 ? questions[0]?.schema : undefined
    const interrupt = {
      ...{ id: nameOf(open), reason: 'input_required' },
      message: questions.map(questionText).join('\n\n'),
      expiresAt: iso(question.expires_at),
      ...(form === undefined ? {} : { responseSchema: form }),
    }
    return { type: 'interrupt', interrupts: [interrupt] }
  }
  const calls = [...state.calls.values()].filter(
    ({ mode, result }) => mode === 'caller' && result === null,
  )
  return { type: 'success', pendingToolCallIds: calls.map(nameOf) }
}

function ended(run_id: string, end: TerminalFact): Readonly<Record<string, unknown>> {
  if (end.type !== 'run.completed') return { outcome: { type: 'cancelled' } }
  const { attachments } = end.output
  const result = { run_id, stop_reason: end.stop_reason, attachments }
  return { outcome: { type: 'success' }, result }
}
