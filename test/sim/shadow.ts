/**
 * A second reading of every log, written apart from the engine's: folded fact by fact as commits
 * arrive, with the law of each fact beside it. What the engine believes is not asked here.
 */

import type { RunFact, RunSpec } from '../../src/core/run/facts.ts'
import type { ShadowAsked } from './approvals.ts'
import * as persons from './approvals.ts'

export interface ShadowCall {
  readonly id: string
  readonly mode: string
  readonly step: number
  readonly order: number
  /** A person is asked first. */
  readonly guarded: boolean
  asked: ShadowAsked | undefined
  /** The epoch of its intent, when it has one. */
  intent: number | undefined
  result: 'ok' | 'error' | 'unknown' | 'spawned' | undefined
  child: string | undefined
  announced: string | undefined
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
  attempts: number
  barrierSince: number | undefined
  /** A barrier was released and no model call has followed yet. */
  released: boolean
  cohort: number
  startedAt: number | undefined
  /** Since when it waits for a person, and how long it did before (ms). */
  personSince: number | undefined
  personMs: number
  /** Children that wait for a person, by call, and until when. */
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
  attempts: 0,
  barrierSince: undefined,
  released: false,
  cohort: 0,
  startedAt: undefined,
  personSince: undefined,
  personMs: 0,
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

/** What is wrong with this fact at this place, by the invariant's id; nothing when it is lawful. */
export type Breach = readonly [id: string, message: string]

const LAWS = [
  I1_statusGraphIsLegal,
  I5_barrierObeysItsJoin,
  I5_eachChildCountsOnce,
  I6_oneResultPerStep,
  I6_shortenedOnceAStep,
  I8_intentBeforeOnce,
  I9_nothingAfterTheEnd,
  I12_nothingBeginsAfterCancel,
  persons.I13_askedOnce,
  persons.I13_decidedOnce,
  persons.I13_performedOnlyAfterAYes,
  persons.I18_theClockStandsStill,
  I16_attemptsAreBounded,
] as const

export function breaches(shadow: Shadow, fact: RunFact, at: number): Breach[] {
  return LAWS.flatMap((law) => {
    const message = law(shadow, fact, at)
    return message ? [[law.name, message] as const] : []
  })
}

const FROM: Readonly<Record<string, readonly string[]>> = {
  'run.created': ['none'],
  'run.started': ['queued'],
  'assistant.message': ['running'],
  'tool.call': ['running'],
  'run.waiting': ['running'],
  'run.resumed': ['waiting'],
  'barrier.released': ['running'],
  'run.completed': ['running'],
  'run.failed': ['queued', 'running', 'waiting'],
  'run.cancelled': ['queued', 'running', 'waiting'],
  'run.timed_out': ['running', 'waiting'],
}

function I1_statusGraphIsLegal(shadow: Shadow, fact: RunFact): string | undefined {
  // Who comes to a session that has a run waits for the turn before anything else.
  if (fact.type === 'run.waiting' && fact.on === 'session') {
    return shadow.status === 'queued' ? undefined : `it waits for a turn, ${shadow.status}`
  }
  const from = FROM[fact.type]
  if (!from || from.includes(shadow.status)) return undefined
  return `${fact.type} in status ${shadow.status}`
}

function I9_nothingAfterTheEnd(shadow: Shadow, fact: RunFact): string | undefined {
  return TERMINAL.has(shadow.status) ? `${fact.type} after ${shadow.status}` : undefined
}

function I6_oneResultPerStep(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type === 'assistant.message') {
    if (fact.step !== shadow.steps) return `answer ${fact.step} where ${shadow.steps} is due`
    const open = [...shadow.calls.values()].find((call) => call.result === undefined)
    if (open) return `an answer while the call ${open.id} has no result`
    const again = fact.calls.find((call) => shadow.calls.has(call.id))
    if (again) return `the call id ${again.id} stands for two calls`
    if (new Set(fact.calls.map(({ id }) => id)).size < fact.calls.length)
      return 'two calls of one answer share an id'
  }
  if (fact.type === 'tool.result' || fact.type === 'subagent.spawned') {
    const call = shadow.calls.get(fact.call)
    if (!call) return `a result for ${fact.call}, which nobody asked for`
    if (call.result) return `a second result for ${fact.call}`
  }
  return undefined
}

/** What is left out stays left out, and no step is summarised twice over. */
function I6_shortenedOnceAStep(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'transcript.compacted') return undefined
  const { step, kept_from } = fact
  if (step !== shadow.steps) return `shortened at ${step} where ${shadow.steps} is due`
  const last = shadow.shortened
  if (last?.step === step) return `shortened twice at step ${step}`
  const lawful = kept_from >= (last?.kept_from ?? 0) && kept_from <= step
  return lawful ? undefined : `kept from ${kept_from}, at step ${step}`
}

function I8_intentBeforeOnce(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type === 'tool.call') {
    const call = shadow.calls.get(fact.call)
    if (!call) return `an intent for ${fact.call}, which nobody asked for`
    return call.intent === undefined ? undefined : `a second intent for ${fact.call}`
  }
  if (fact.type !== 'tool.result' || fact.status !== 'ok') return undefined
  const call = shadow.calls.get(fact.call)
  return call?.mode === 'once' && call.intent === undefined
    ? `a once tool was performed without its intent: ${fact.call}`
    : undefined
}

function I12_nothingBeginsAfterCancel(shadow: Shadow, fact: RunFact): string | undefined {
  if (shadow.cancelledAt === undefined) return undefined
  // The turn of a session is given, not taken.
  if (fact.type === 'run.resumed' && fact.history) return undefined
  const begins = ['run.started', 'tool.call', 'barrier.released', 'run.completed', 'run.resumed']
  return begins.includes(fact.type) ? `${fact.type} after cancel.requested` : undefined
}

function I16_attemptsAreBounded(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'run.waiting' || fact.on !== 'retry') return undefined
  if (fact.attempt !== shadow.attempts + 1)
    return `attempt ${fact.attempt} after ${shadow.attempts}`
  return fact.attempt > 2
    ? `attempt ${fact.attempt} of one step failed and another follows`
    : undefined
}

function I5_eachChildCountsOnce(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'subagent.announced' && fact.type !== 'subagent.failed') return undefined
  const call = shadow.calls.get(fact.call)
  if (!call?.child) return `an announce for ${fact.call}, which has no child`
  if (call.announced) return `the child of ${fact.call} counts twice`
  if (fact.announce.run_id !== call.child) return `an announce of a stranger for ${fact.call}`
  const completed = fact.announce.status === 'completed'
  return completed === (fact.type === 'subagent.announced') ? undefined : 'a misnamed announce'
}

function I5_barrierObeysItsJoin(shadow: Shadow, fact: RunFact, at: number): string | undefined {
  const children = [...shadow.calls.values()].filter(({ child }) => child)
  const pending = children.filter((call) => !call.announced && !call.givenUp)
  if (fact.type === 'run.completed') {
    return pending.length > 0 ? `completed while ${pending.length} children are pending` : undefined
  }
  if (fact.type !== 'barrier.released') return undefined
  if (shadow.released) return 'the barrier was released twice'
  const orders = fact.calls.map((id) => shadow.calls.get(id)?.order ?? -1)
  if (orders.some((order, index) => index > 0 && order <= orders[index - 1]!))
    return 'results do not join in call order'
  if (pending.length !== fact.missing.length) return 'missing is not what is pending'
  if (pending.length === 0) return undefined
  const join = shadow.spec!.join
  if (fact.reason === 'deadline') {
    const end =
      (shadow.barrierSince ?? Number.POSITIVE_INFINITY) +
      (join.deadline_seconds ?? Number.POSITIVE_INFINITY) * 1000
    return at >= end ? undefined : 'released before its deadline'
  }
  if (join.policy === 'all') return `released while ${pending.length} children are pending`
  const cohort = [...shadow.calls.values()]
    .filter(({ mode }) => mode === 'spawn')
    .slice(shadow.cohort)
  const successes = cohort.filter(({ announced }) => announced === 'completed').length
  const needed = join.policy === 'any' ? 1 : join.policy.quorum
  return successes >= needed ? undefined : `released with ${successes} of ${needed} successes`
}

/** Takes the fact in. `at` is the fact's own time, `now` the world's. */
export function fold(shadow: Shadow, fact: RunFact, at: number, now: number): void {
  shadow.facts.push(fact)
  shadow.times.push(at)
  persons.foldPersons(shadow, fact, at)
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
      return
    case 'assistant.message':
      return answered(shadow, fact)
    case 'tool.call':
      shadow.calls.get(fact.call)!.intent = fact.epoch
      return
    case 'tool.result':
      shadow.calls.get(fact.call)!.result = fact.status
      return
    case 'subagent.spawned': {
      const call = shadow.calls.get(fact.call)!
      call.result = 'spawned'
      call.child = fact.run_id
      return
    }
    case 'subagent.announced':
    case 'subagent.failed':
      shadow.calls.get(fact.call)!.announced = fact.announce.status
      return
    case 'barrier.released':
      for (const id of fact.missing) shadow.calls.get(id)!.givenUp = true
      shadow.released = true
      shadow.barrierSince = undefined
      shadow.cohort = [...shadow.calls.values()].filter(({ mode }) => mode === 'spawn').length
      return
    case 'run.waiting':
      shadow.status = 'waiting'
      shadow.waitingOn = fact.on
      shadow.waitingUntil = fact.until
      if (fact.on === 'retry') shadow.attempts = fact.attempt!
      else if (fact.on === 'subagents') shadow.barrierSince ??= at
      else if (fact.on === 'approval' && !hasOpen(shadow)) shadow.barrierSince ??= at
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
    case 'message.received':
    case 'skill.activated':
    case 'approval.requested':
    case 'approval.decided':
    case 'subagent.waiting':
    case 'subagent.resumed':
      return
    default:
      shadow.status = fact.type.slice('run.'.length)
      shadow.endedAt = now
  }
}

/** When it could begin: it was created, or given its turn. */
const turnAt = ({ facts, times }: Shadow): number =>
  times[facts.findLastIndex(({ type }) => type === 'run.created' || type === 'run.resumed')] ?? 0

const hasOpen = ({ calls }: Shadow): boolean =>
  [...calls.values()].some(({ result }) => result === undefined)

function answered(shadow: Shadow, fact: Extract<RunFact, { type: 'assistant.message' }>): void {
  shadow.steps += 1
  shadow.attempts = 0
  shadow.released = false
  for (const { id, mode, ask } of fact.calls) {
    const guarded = ask !== undefined
    const call = { id, mode, guarded, step: fact.step, order: shadow.calls.size, givenUp: false }
    shadow.calls.set(id, {
      ...call,
      asked: undefined,
      intent: undefined,
      result: undefined,
      child: undefined,
      announced: undefined,
    })
  }
}
