/**
 * The laws of single facts: what may stand where in a run's log. Each looks at the log so far and at
 * the fact that is about to join it.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import { hasOpen, pendingWaited, type Shadow, type ShadowCall, TERMINAL } from '../shadow/shadow.ts'
import * as persons from './approvals.ts'
import * as outages from './outages.ts'
import * as questions from './questions.ts'
import * as turns from './turns.ts'

/** What is wrong with this fact at this place, by the invariant's id; nothing when it is lawful. */
export type Breach = readonly [id: string, message: string]

const LAWS = [
  I1_statusGraphIsLegal,
  I5_barrierObeysItsJoin,
  I5_eachChildCountsOnce,
  I5_waitedIsAnsweredByItsEnd,
  I6_oneResultPerStep,
  I6_shortenedOnceAStep,
  I8_intentBeforeOnce,
  turns.I8_callsTakeTurns,
  I9_nothingAfterTheEnd,
  I12_nothingBeginsAfterCancel,
  persons.I13_askedOnce,
  persons.I13_decidedOnce,
  persons.I13_performedOnlyAfterAYes,
  questions.I13_oneQuestionAtATime,
  questions.I13_theFirstMessageAnswers,
  questions.I13_theAnswerIsTheResult,
  questions.I13_aFunctionHasItsResult,
  questions.I13_pausedOnce,
  questions.I13_aPauseIsWaitedFor,
  questions.I11_messagesAreHeardOnce,
  persons.I18_theClockStandsStill,
  outages.I16_attemptsAreBounded,
  outages.I16_outagesAreWaitedOut,
  I16_theChainIsAsked,
] as const

/** Another model answers only when those before it were asked, and the answer says so. */
function I16_theChainIsAsked({ facts }: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'assistant.message') return undefined
  const started = facts.find((one) => one.type === 'run.started')
  const own = started?.type === 'run.started' ? started.model : undefined
  const tried = (fact.tried ?? []).map(({ model }) => model)
  if (fact.model === own) return tried.length === 0 ? undefined : `${own} answered after itself`
  return tried[0] === own ? undefined : `${fact.model} answered, and ${own} was not asked`
}

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
  // In `queued`: it had not begun in time (`expires_at`).
  'run.timed_out': ['queued', 'running', 'waiting'],
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
    if (fact.type === 'subagent.spawned' && call.child) return `a second child for ${fact.call}`
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

function I5_eachChildCountsOnce(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'subagent.announced' && fact.type !== 'subagent.failed') return undefined
  const call = shadow.calls.get(fact.call)
  if (!call?.child) return `an announce for ${fact.call}, which has no child`
  if (call.announced) return `the child of ${fact.call} counts twice`
  if (fact.announce.run_id !== call.child) return `an announce of a stranger for ${fact.call}`
  const completed = fact.announce.status === 'completed'
  return completed === (fact.type === 'subagent.announced') ? undefined : 'a misnamed announce'
}

/** Such a call has no other result, and its result says how the child ended. */
function I5_waitedIsAnsweredByItsEnd(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'tool.result') return undefined
  const call = shadow.calls.get(fact.call)
  if (!call?.child) return undefined
  if (!call.waited) return `a tool result for ${call.id}, which was answered by its spawn`
  if (!call.announced && !call.givenUp) return `${call.id} is answered while its child lives`
  const well = call.announced === 'completed' && !call.givenUp
  return well === (fact.status === 'ok') ? undefined : `${call.id} is said to be ${fact.status}`
}

function I5_barrierObeysItsJoin(shadow: Shadow, fact: RunFact, at: number): string | undefined {
  const children = [...shadow.calls.values()].filter(({ child }) => child)
  const pending = children.filter((call) => !call.announced && !call.givenUp)
  if (fact.type === 'run.completed') {
    return pending.length > 0 ? `completed while ${pending.length} children are pending` : undefined
  }
  if (fact.type !== 'barrier.released') return undefined
  if (hasOpen(shadow)) return releasedWithin(shadow, fact, at)
  if (shadow.released) return 'the barrier was released twice'
  const orders = fact.calls.map((id) => shadow.calls.get(id)?.order ?? -1)
  if (orders.some((order, index) => index > 0 && order <= orders[index - 1]!))
    return 'results do not join in call order'
  if (pending.length !== fact.missing.length) return 'missing is not what is pending'
  if (pending.length === 0) return undefined
  const cohort = [...shadow.calls.values()]
    .filter(({ mode }) => mode === 'spawn')
    .slice(shadow.cohort)
    .filter(({ waited }) => !waited)
  return lawfully(shadow, fact, { since: shadow.barrierSince, cohort, at })
}

type Release = Extract<RunFact, { type: 'barrier.released' }>

/** A step that waits for its own children gives up exactly those that are pending. */
function releasedWithin(shadow: Shadow, fact: Release, at: number): string | undefined {
  const pending = pendingWaited(shadow)
  if (pending.length === 0) return 'a step was released that waited for nobody'
  const missing = pending.map(({ id }) => id)
  if (missing.join() !== fact.missing.join()) return 'missing is not what the step waits for'
  const cohort = [...shadow.calls.values()].filter(
    ({ step, waited }) => waited && step === shadow.steps - 1,
  )
  return lawfully(shadow, fact, { since: shadow.joiningSince, cohort, at })
}

interface Waited {
  readonly since: number | undefined
  readonly cohort: readonly ShadowCall[]
  readonly at: number
}

/** A release without some of the children keeps what the join says. */
function lawfully(
  shadow: Shadow,
  { reason, missing }: Release,
  { since, cohort, at }: Waited,
): string | undefined {
  const join = shadow.spec!.join
  if (reason === 'deadline') {
    const end =
      (since ?? Number.POSITIVE_INFINITY) +
      (join.deadline_seconds ?? Number.POSITIVE_INFINITY) * 1000
    return at >= end ? undefined : 'released before its deadline'
  }
  if (join.policy === 'all') return `released while ${missing.length} children are pending`
  const successes = cohort.filter(({ announced }) => announced === 'completed').length
  const needed = join.policy === 'any' ? 1 : join.policy.quorum
  return successes >= needed ? undefined : `released with ${successes} of ${needed} successes`
}
