/**
 * Folds facts into a run's state. The state is copied once per batch, so folding n facts takes n
 * steps.
 */

import { assert } from '../../lib/assert.ts'
import { addUsage } from '../message.ts'
import { enqueueEvents } from '../webhook/subscriptions.ts'
import { applyPersonFact, received } from './human-input/fold.ts'
import type {
  AssistantMessage,
  LoggedFact,
  RunFact,
  RunResumed,
  RunStarted,
  SkillActivated,
  SubagentAnnounced,
  SubagentFailed,
  SubagentSpawned,
  TerminalFact,
  ToolResulted,
} from './log/facts.ts'
import { isTerminalFact } from './log/facts.ts'
import { flushed, notedFlush } from './log/memory-facts.ts'
import { toldSoFar } from './log/models.ts'
import { stepClock } from './state/clock.ts'
import { change, type Draft, draftOf } from './state/draft.ts'
import { goesOn, joinOver, modelAnswers, outageTold, released, waiting } from './state/parking.ts'
import type { RunState } from './state/state.ts'
import { spawnCalls } from './state/state.ts'
import { applyTodos } from './state/todos.ts'

export function evolve(state: RunState, facts: readonly LoggedFact<RunFact>[]): RunState {
  if (facts.length === 0) return state
  const draft = draftOf(state)
  for (const entry of facts) apply(draft, entry)
  return draft
}

export function apply(draft: Draft, { seq, at, fact }: LoggedFact<RunFact>): void {
  assert(seq === draft.seq + 1, `fact ${seq} cannot follow ${draft.seq}`)
  draft.seq = seq
  applyFact(draft, fact, at)
  draft.outbox = enqueueEvents(draft, seq, fact)
  if (isTerminalFact(fact)) ended(draft, fact, at)
}

/**
 * Returns the start time of a run. Clocks of two workers may differ, so it is never before the
 * creation or the turn, and never after the commit.
 */
const began = (draft: Draft, { began_at }: RunStarted, at: number): number =>
  Math.min(at, Math.max(began_at ?? at, draft.created_at, draft.turn_at))

function applyFact(draft: Draft, fact: RunFact, at: number): void {
  switch (fact.type) {
    case 'run.created':
      draft.spec = fact.run
      draft.history = fact.run.turn?.history ?? []
      draft.created_at = at
      return
    case 'run.started':
      draft.started = fact
      draft.started_at = began(draft, fact, at)
      draft.status = 'running'
      return
    case 'assistant.message':
      modelAnswers(draft, at)
      return applyAnswer(draft, fact)
    case 'message.received':
      return received(draft, fact)
    case 'tool.call': {
      const attempt = { intent: fact.epoch, write: fact.write ?? null }
      return change(draft, fact.call, (call) => ({ ...call, ...attempt }))
    }
    case 'tool.result':
      return resulted(draft, fact)
    case 'transcript.compacted':
      draft.compacted = { at: fact.step, kept_from: fact.kept_from, summary: fact.summary }
      if (fact.model !== null) modelAnswers(draft, at)
      return void (draft.usage = addUsage(draft.usage, fact.usage))
    case 'memory.noted':
      draft.flush = notedFlush(fact, draft.flush)
      draft.attempts = 0
      if (fact.model !== null) modelAnswers(draft, at)
      return void (draft.usage = addUsage(draft.usage, fact.usage))
    case 'memory.flushed':
      return void (draft.flush &&= flushed(draft.flush, fact))
    case 'assistant.discarded':
      return void (draft.usage = addUsage(draft.usage, fact.usage))
    case 'skill.activated':
      return opened(draft, fact)
    case 'subagent.spawned':
      return spawned(draft, fact)
    case 'todos.updated':
      return applyTodos(draft, fact)
    case 'tool.paused':
    case 'approval.requested':
    case 'approval.decided':
    case 'question.asked':
    case 'question.answered':
    case 'subagent.waiting':
    case 'subagent.resumed':
      return applyPersonFact(draft, fact, at)
    case 'subagent.announced':
    case 'subagent.failed':
      return announced(draft, fact)
    case 'barrier.released':
      return released(draft, fact)
    case 'run.waiting':
      return waiting(draft, fact, at)
    case 'run.resumed':
      return resumed(draft, fact, at)
    case 'model.unavailable':
      return outageTold(draft)
    case 'model.recovered':
      return
    case 'budget.reached':
      draft.short = { limit: fact.limit, needed: fact.needed }
      return
    case 'clock.stepped':
      return stepClock(draft, fact)
    case 'cancel.requested':
      return void (draft.cancel = { reason: fact.reason })
    default:
      // Terminal facts are handled by `ended`.
      fact satisfies TerminalFact
  }
}

function opened(draft: Draft, { skill, text }: SkillActivated): void {
  draft.activation = text ?? draft.activation
  const otherSkills = (draft.opened_skills ?? []).filter((id) => id !== skill)
  draft.opened_skills = [...otherSkills, skill]
}

function resumed(draft: Draft, { history, by }: RunResumed, at: number): void {
  goesOn(draft, at)
  draft.status = draft.started ? 'running' : 'queued'
  draft.waiting = null
  if (history) draft.history = history
  if (by && draft.outage) draft.outage = { ...draft.outage, forced: true }
  if (!draft.started) draft.turn_at = at
  joinOver(draft)
}

function applyAnswer(draft: Draft, fact: AssistantMessage): void {
  const argumentsById = new Map(
    fact.parts.flatMap((part) =>
      part.type === 'call' ? [[part.id, part.arguments] as const] : [],
    ),
  )
  fact.calls.forEach((plan, index) => {
    draft.calls.set(plan.id, {
      ...plan,
      step: fact.step,
      index,
      arguments: argumentsById.get(plan.id) ?? '',
      intent: null,
      write: null,
      result: null,
      child: null,
      asked: null,
      question: null,
    })
  })
  draft.steps.push({
    parts: fact.parts,
    calls: fact.calls.map((plan) => plan.id),
    seen: fact.seen,
    finish: fact.finish,
    ...measured(fact),
    ...('structured' in fact ? { structured: fact.structured } : {}),
    ...(fact.schema_error === undefined ? {} : { schema_error: fact.schema_error }),
    ...(fact.structured_output ? { structured_output: fact.structured_output } : {}),
  })
  draft.usage = addUsage(draft.usage, fact.usage)
  draft.short = null
  draft.answerWarnings = toldSoFar(draft.answerWarnings, fact)
  draft.barrier_open = false
}

/** Measures the number of tokens per byte of prompt, from the first answer. */
function measured({ prompt_bytes = 0, budget_output_tokens, usage }: AssistantMessage) {
  return {
    ...(prompt_bytes > 0 ? { tokens_per_byte: usage.input_tokens / prompt_bytes } : {}),
    ...(budget_output_tokens === undefined ? {} : { is_bounded: true as const }),
  }
}

function resulted(draft: Draft, fact: ToolResulted): void {
  change(draft, fact.call, (call) => ({
    ...call,
    result: {
      ...{ text: fact.text, is_error: fact.status !== 'ok' },
      ...(fact.found ? { found: fact.found } : {}),
    },
  }))
  if (fact.attachments) draft.attachments = [...draft.attachments, ...fact.attachments]
  joinOver(draft)
}

const NEW_CHILD = { announce: null, given_up: false, waits: null, word: 0 } as const

function spawned(draft: Draft, fact: SubagentSpawned): void {
  const { run_id, session_id, lane, agent, label, task, missing, warnings, allotment = null } = fact
  const waited = fact.wait === true
  const answer = JSON.stringify({ run_id, session_id, lane, missing, warnings })
  change(draft, fact.call, (call) => ({
    ...call,
    result: waited ? null : { text: answer, is_error: false },
    child: { run_id, agent, label, task, allotment, waited, ...NEW_CHILD },
  }))
}

function announced(draft: Draft, { call: id, announce }: SubagentAnnounced | SubagentFailed): void {
  const child = draft.calls.get(id)?.child
  assert(child, `announce for unknown child ${id}`)
  change(draft, id, (call) => ({ ...call, child: { ...child, announce } }))
  draft.usage = addUsage(draft.usage, announce.usage)
  // The spawn call is still open; the child's end becomes its result.
  if (child.waited && !child.given_up) return
  // If the model already saw that the child is missing, a late result is added only if the
  // child completed.
  if (!child.given_up || announce.status === 'completed') {
    draft.pending_input.push({ kind: 'announce', call: id, late: child.given_up })
  }
}

function ended(draft: Draft, fact: TerminalFact, at: number): void {
  draft.status = fact.type.slice('run.'.length) as RunState['status']
  draft.waiting = null
  draft.outage = null
  draft.stop_reason = fact.stop_reason
  draft.ended_at = at
  if (fact.type === 'run.completed') {
    const { attachments: _, ...output } = fact.output
    draft.output = output
  }
  if (fact.type === 'run.failed' || fact.type === 'run.timed_out') draft.error = fact.error
  // The notice of the run's end supersedes all earlier notices.
  if (draft.spec?.parent) draft.outbox = { ...draft.outbox, parent: true, notice: null }
  if (draft.spec?.schedule) draft.outbox = { ...draft.outbox, schedule: true }
  if (draft.spec?.trace?.exported) draft.outbox = { ...draft.outbox, trace: true }
  if (draft.spec?.turn) draft.outbox = { ...draft.outbox, session: true }
  if (fact.type !== 'run.completed') draft.outbox = { ...draft.outbox, cancel: orphans(draft) }
}

/** Returns every child named by the calls, recorded or not, whose end has not been reported. */
function orphans(draft: Draft): string[] {
  return spawnCalls(draft)
    .filter((call) => (call.child ? call.child.announce === null : call.result === null))
    .map((call) => call.id)
}
