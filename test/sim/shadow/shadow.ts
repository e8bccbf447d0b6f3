/**
 * A second reading of every log, written apart from the engine's: folded fact by fact as commits
 * arrive. What the engine believes is not asked here; the law of each fact stands in `laws.ts`.
 */

import type {
  MemoryFlushed,
  MemoryNoted,
  RunFact,
  RunSpec,
} from '../../../src/core/run/log/facts.ts'
import { foldPersons, type ShadowAsked } from '../laws/approvals.ts'
import { foldOutages } from '../laws/outages.ts'
import { foldQuestions, type ShadowQuestion } from '../laws/questions.ts'

export interface ShadowCall {
  readonly id: string
  readonly tool: string
  readonly mode: string
  readonly step: number
  readonly order: number
  /** A person is asked first. */
  readonly guarded: boolean
  asked: ShadowAsked | undefined
  question: ShadowQuestion | undefined
  /** Its server has asked the user in its middle. */
  paused: boolean
  /** The epoch of its intent, when it has one. */
  intent: number | undefined
  result: 'ok' | 'error' | 'unknown' | 'spawned' | undefined
  child: string | undefined
  /** The end of its child is its result. */
  waited: boolean
  announced: string | undefined
  /** Where in the log its child was heard of, and in virtual time. */
  announcedSeq: number
  announcedAt: number
  givenUp: boolean
}

export interface Shadow {
  readonly partition: string
  readonly facts: RunFact[]
  readonly times: number[]
  spec: RunSpec | undefined
  status: string
  waitingOn: string | undefined
  waitingUntil: number | null
  /** Virtual time of `cancel.requested`. */
  cancelledAt: number | undefined
  /** Virtual time of the terminal fact. */
  endedAt: number | undefined
  steps: number
  /** The last time that the conversation was shortened. */
  shortened: { readonly step: number; readonly kept_from: number } | undefined
  /** The last time that it was asked what must last, and what came of it. */
  noted: MemoryNoted | undefined
  flushed: MemoryFlushed | undefined
  attempts: number
  barrierSince: number | undefined
  /** The same within a step that waits for its own children. */
  joiningSince: number | undefined
  /** A barrier was released and no model call has followed yet. */
  released: boolean
  cohort: number
  startedAt: number | undefined
  /** Virtual time of the commit that said so. */
  begunAt: number | undefined
  /** Where in the log the last answer of the model stands. */
  answeredSeq: number
  /** Seconds of an outage that it waits out, and since when one lasts. */
  patience: number
  outageSince: number | undefined
  /** Since when it waits with its clock stopped, and how long that stood still before (ms). */
  stillSince: number | undefined
  stillMs: number
  /** Children that wait for a person or a model, by call, and until when. */
  readonly childPersons: Map<string, number | null>
  timeout: number
  readonly calls: Map<string, ShadowCall>
}

export const newShadow = (partition: string): Shadow => ({
  partition,
  facts: [],
  times: [],
  spec: undefined,
  status: 'none',
  waitingOn: undefined,
  waitingUntil: null,
  cancelledAt: undefined,
  endedAt: undefined,
  steps: 0,
  shortened: undefined,
  noted: undefined,
  flushed: undefined,
  attempts: 0,
  barrierSince: undefined,
  joiningSince: undefined,
  released: false,
  cohort: 0,
  startedAt: undefined,
  begunAt: undefined,
  answeredSeq: 0,
  patience: 0,
  outageSince: undefined,
  stillSince: undefined,
  stillMs: 0,
  childPersons: new Map(),
  timeout: 0,
  calls: new Map(),
})

export const TERMINAL: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'cancelled',
  'timed_out',
])

/** Takes the fact in. `at` is the fact's own time, `now` the world's. */
export function fold(shadow: Shadow, fact: RunFact, at: number, now: number): void {
  shadow.facts.push(fact)
  shadow.times.push(at)
  foldPersons(shadow, fact, at)
  foldOutages(shadow, fact, at)
  foldQuestions(shadow, fact)
  switch (fact.type) {
    case 'run.created':
      shadow.spec = fact.run
      shadow.status = 'queued'
      return
    case 'run.started':
      shadow.status = 'running'
      // It may have begun before the fact was committed, but not before its turn.
      shadow.startedAt = Math.min(at, Math.max(fact.began_at ?? at, turnAt(shadow)))
      shadow.timeout = fact.timeout_seconds
      shadow.begunAt = now
      return
    case 'assistant.message':
      return answered(shadow, fact)
    case 'tool.call':
      shadow.calls.get(fact.call)!.intent = fact.epoch
      return
    case 'tool.paused':
      Object.assign(shadow.calls.get(fact.call)!, { intent: undefined, paused: true })
      return
    case 'tool.result':
      shadow.calls.get(fact.call)!.result = fact.status
      return
    case 'subagent.spawned': {
      const call = shadow.calls.get(fact.call)!
      call.waited = fact.wait === true
      if (!call.waited) call.result = 'spawned'
      call.child = fact.run_id
      return
    }
    case 'subagent.announced':
    case 'subagent.failed':
      Object.assign(shadow.calls.get(fact.call)!, {
        announced: fact.announce.status,
        announcedSeq: shadow.facts.length,
        announcedAt: now,
      })
      return
    case 'barrier.released':
      for (const id of fact.missing) shadow.calls.get(id)!.givenUp = true
      if (hasOpen(shadow)) return
      shadow.released = true
      shadow.barrierSince = undefined
      shadow.cohort = [...shadow.calls.values()].filter(({ mode }) => mode === 'spawn').length
      return
    case 'run.waiting':
      shadow.status = 'waiting'
      shadow.waitingOn = fact.on
      shadow.waitingUntil = fact.until
      if (['subagents', 'approval', 'input'].includes(fact.on)) {
        if (!hasOpen(shadow)) shadow.barrierSince ??= at
        else if (pendingWaited(shadow).length > 0) shadow.joiningSince ??= at
      }
      return
    case 'run.resumed':
      shadow.status = shadow.startedAt === undefined ? 'queued' : 'running'
      shadow.waitingOn = undefined
      return
    case 'cancel.requested':
      shadow.cancelledAt = now
      return
    case 'transcript.compacted':
      shadow.shortened = fact
      return
    case 'memory.noted':
      shadow.noted = fact
      if (fact.entries.length > 0) shadow.flushed = undefined
      return
    case 'memory.flushed':
      shadow.flushed = fact
      return
    case 'message.received':
    case 'skill.activated':
    case 'approval.requested':
    case 'approval.decided':
    case 'question.asked':
    case 'question.answered':
    case 'todos.updated':
    case 'subagent.waiting':
    case 'subagent.resumed':
    case 'budget.reached':
    case 'model.unavailable':
    case 'model.recovered':
    case 'clock.stepped':
    case 'assistant.discarded':
      return
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
    case 'run.timed_out':
      shadow.status = fact.type.slice('run.'.length)
      shadow.endedAt = now
      return
    default:
      fact satisfies never
  }
}

/** When it could begin: it was created, or given its turn. */
const turnAt = ({ facts, times }: Shadow): number =>
  times[facts.findLastIndex(({ type }) => type === 'run.created' || type === 'run.resumed')] ?? 0

export const hasOpen = ({ calls }: Shadow): boolean =>
  [...calls.values()].some(({ result }) => result === undefined)

/** Calls that wait for the ends of their children. */
export const pendingWaited = ({ calls }: Pick<Shadow, 'calls'>): ShadowCall[] =>
  [...calls.values()].filter((c) => c.waited && !c.result && !c.announced && !c.givenUp)

function answered(shadow: Shadow, fact: Extract<RunFact, { type: 'assistant.message' }>): void {
  shadow.steps += 1
  shadow.answeredSeq = shadow.facts.length
  shadow.released = false
  shadow.joiningSince = undefined
  for (const { id, tool, mode, ask } of fact.calls) {
    const guarded = ask !== undefined
    const { step } = fact
    const call = { id, tool, mode, guarded, step, order: shadow.calls.size, givenUp: false }
    shadow.calls.set(id, {
      ...call,
      asked: undefined,
      question: undefined,
      paused: false,
      intent: undefined,
      result: undefined,
      child: undefined,
      waited: false,
      announced: undefined,
      announcedSeq: 0,
      announcedAt: 0,
    })
  }
}
