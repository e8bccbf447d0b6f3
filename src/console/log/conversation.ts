/**
 * Folds a run's events into the view that pages show. The same events give the same view, even if
 * they are repeated or arrive in other batches. Deltas only fill the message being written, which
 * the finished message replaces.
 */

import type { Delta, RunEvent } from '../../client/index.ts'
import { decided, replaced, resulted, spawned } from './calls.ts'
import type { ChatEvent, Item, RunView, Tree, Usage, Writing } from './shape.ts'
import { previewOf } from './shape.ts'

export function evolve(tree: Tree, event: ChatEvent): Tree {
  if (event.type === 'subagent.started') return tree
  const previous = tree.runs[event.run_id] ?? fresh(event.run_id)
  const after =
    event.type === 'assistant.delta' ? applyDelta(previous, event) : logged(previous, event)
  return after === previous ? tree : { runs: { ...tree.runs, [event.run_id]: after } }
}

export const readAll = (events: Iterable<ChatEvent>, from: Tree): Tree => {
  let tree = from
  for (const event of events) tree = evolve(tree, event)
  return tree
}

const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, model_calls: 0 }

const fresh = (id: string): RunView => ({
  ...{ id, seq: 0, status: 'queued', items: [], steps: 0, usage: NO_USAGE },
  ...{ attachments: [], todos: [], warnings: [] },
})

/** Events of a run arrive in order, so an event with an already seen number is a duplicate. */
function logged(run: RunView, event: RunEvent): RunView {
  if (event.seq <= run.seq) return run
  return { ...changed(run, event), seq: event.seq }
}

/** A delta is ignored if its step precedes the step of the newest message. */
function applyDelta(run: RunView, { epoch, step, at, text, reset }: Delta): RunView {
  if (step < run.steps) return run
  const { writing } = run
  if (writing && (step < writing.step || epoch < writing.epoch)) return run
  if (reset) return writing ? without(run) : run
  const same = writing?.epoch === epoch && writing.step === step
  const old = same ? writing.text : ''
  const from = at ?? old.length
  const gap = (same && writing.gap) || from > old.length
  // If text after a gap were appended, the message would appear to be complete.
  if (gap && from > 0) return { ...run, writing: { epoch, step, text: old, gap: true } }
  return { ...run, writing: { epoch, step, text: old.slice(0, from) + (text ?? '') } }
}

const without = ({ writing: _, ...run }: RunView): RunView => run

const add = (run: RunView, ...items: readonly Item[]): RunView => ({
  ...run,
  items: [...run.items, ...items],
})

function changed(run: RunView, event: RunEvent): RunView {
  const key = `${event.run_id}-${event.seq}`
  switch (event.type) {
    case 'run.created':
      return created(run, event)
    case 'run.started': {
      const { agent, model, price, warnings = [], began_at } = event.data
      const started_at = began_at ?? event.created_at
      const status = run.status === 'waiting' ? run.status : 'running'
      return { ...run, agent, model, warnings, started_at, status, ...(price ? { price } : {}) }
    }
    case 'run.waiting':
      return waiting(run, event)
    case 'run.resumed': {
      const { waiting_on: _, ...running } = run
      return { ...running, status: 'running' }
    }
    case 'message.received': {
      const { by = 'person', text } = event.data
      return add(run, { kind: 'input', key, text, by, at: event.created_at })
    }
    case 'assistant.message':
      return applyAnswer(run, event)
    case 'skill.activated':
      return skilled(run, event)
    case 'todos.updated':
      return { ...run, todos: event.data.todos }
    case 'transcript.compacted': {
      const text = previewOf(event.data.summary)
      const withNote = add(run, { kind: 'note', key, note: 'compacted', text })
      return { ...withNote, usage: sum(run.usage, event.data.usage) }
    }
    case 'memory.noted':
      return { ...run, usage: sum(run.usage, event.data.usage) }
    case 'assistant.discarded': {
      const usage = sum(run.usage, event.data.usage)
      return add(
        { ...run, usage },
        { kind: 'note', key, note: 'discarded', text: event.data.model },
      )
    }
    case 'budget.reached':
      return add(run, { kind: 'note', key, note: 'budget', text: event.data.limit })
    case 'cancel.requested':
      return add(run, { kind: 'note', key, note: 'cancel', text: event.data.reason ?? '' })
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
    case 'run.timed_out':
      return ended(run, event)
    default:
      return ofCall(run, event)
  }
}

function ofCall(run: RunView, event: RunEvent): RunView {
  const at = event.created_at
  switch (event.type) {
    case 'tool.call':
      return replaced(run, event.data.call, { status: 'running', since: at })
    case 'tool.result':
      return resulted(run, event.data)
    case 'approval.requested':
      return replaced(run, event.data.call, { status: 'asks', approval: { id: event.data.id } })
    case 'approval.decided':
      return decided(run, event.data)
    case 'question.asked':
      return replaced(run, event.data.call, { status: 'asks', question: event.data, since: at })
    case 'question.answered':
      return replaced(run, event.data.call, ({ question }) => ({
        status: 'running',
        ...(question ? { question: { ...question, outcome: event.data.outcome } } : {}),
      }))
    case 'subagent.spawned':
      return spawned(run, event.data, at)
    case 'subagent.waiting':
    case 'subagent.resumed': {
      const waits = event.type === 'subagent.waiting'
      return replaced(run, event.data.call, ({ child }) =>
        child ? { child: { ...child, waits } } : {},
      )
    }
    case 'subagent.announced':
    case 'subagent.failed': {
      const { announce } = event.data
      const status = announce.status === 'completed' ? 'ok' : 'error'
      return replaced(run, event.data.call, ({ child }) => ({
        status,
        duration_ms: announce.duration_ms,
        ...(child ? { child: { ...child, waits: false, announce } } : {}),
      }))
    }
    default:
      return run
  }
}

interface Requested {
  readonly input?: readonly { readonly role: 'user' | 'assistant'; readonly text: Text }[]
  readonly role?: string | null
  readonly repo_dir?: string | null
  readonly label?: string | null
}
type Text = Extract<Item, { kind: 'input' }>['text']
type Of<T> = Extract<RunEvent, { type: T }>

function created(run: RunView, { data, created_at }: Of<'run.created'>): RunView {
  const { input = [], role = null, repo_dir = null, label = null } = data as Requested
  const items = input.map(({ role, text }, index): Item => {
    const key = `${run.id}-input-${index}`
    if (role === 'assistant') return { kind: 'text', key, text, step: -1 }
    return { kind: 'input', key, text, at: created_at }
  })
  return add({ ...run, agent: data.agent, role, repo_dir, label, created_at }, ...items)
}

function waiting(run: RunView, { data, seq }: Of<'run.waiting'>): RunView {
  const next: RunView = { ...run, status: 'waiting', waiting_on: data.on }
  if (data.on !== 'model') return next
  const text = data.error?.message ?? ''
  return add(without(next), { kind: 'note', key: `${run.id}-${seq}`, note: 'retry', text })
}

function applyAnswer(run: RunView, { data, created_at: since }: Of<'assistant.message'>): RunView {
  const plans = new Map(data.calls.map((call) => [call.id, call]))
  const items = data.parts.map((part, index): Item => {
    const key = `${run.id}-${data.step}-${index}`
    const { text = '', ...call } = part as unknown as Part
    if (part.type !== 'call') {
      return { kind: part.type === 'text' ? 'text' : 'reasoning', key, text, step: data.step }
    }
    const { mode = 'once', refusal } = plans.get(call.id) ?? {}
    const base = {
      ...({ kind: 'call', key: call.id, tool: call.tool } as const),
      ...{ arguments: call.arguments, step: data.step },
    }
    if (mode !== 'refused') return { ...base, mode, status: 'pending', since }
    return { ...base, mode, status: 'refused', result: refusal ?? '' }
  })
  const usage = sum(run.usage, data.usage)
  const visibleItems = items.filter(
    (item) => item.kind === 'call' || item.kind === 'note' || item.text !== '',
  )
  return add({ ...without(run), usage, steps: data.step + 1, model: data.model }, ...visibleItems)
}

interface Part {
  readonly text?: Text
  readonly id: string
  readonly tool: string
  readonly arguments: Text
}

function skilled(run: RunView, { data, seq }: Of<'skill.activated'>): RunView {
  if (data.call !== null) return replaced(run, data.call, { skill: data.skill })
  const text = `/${data.skill} ${data.args}`.trim()
  return add(run, { kind: 'note', key: `${run.id}-${seq}`, note: 'skill', text })
}

type End = 'run.completed' | 'run.failed' | 'run.cancelled' | 'run.timed_out'

function ended(run: RunView, event: Of<End>): RunView {
  const { waiting_on: _, ...view } = without(run)
  const status = event.type.slice('run.'.length) as RunView['status']
  const { stop_reason } = event.data
  const error = 'error' in event.data ? { error: event.data.error } : {}
  const attachments = event.type === 'run.completed' ? event.data.output.attachments : []
  return { ...view, status, stop_reason, ended_at: event.created_at, attachments, ...error }
}

function sum(first: Usage, other: Usage): Usage {
  const price = first.list_price ?? other.list_price
  const sumOf = (name: 'cache_read_tokens' | 'cache_write_tokens') => {
    const count = (first[name] ?? 0) + (other[name] ?? 0)
    return count === 0 ? {} : { [name]: count }
  }
  return {
    input_tokens: first.input_tokens + other.input_tokens,
    output_tokens: first.output_tokens + other.output_tokens,
    model_calls: first.model_calls + other.model_calls,
    ...sumOf('cache_read_tokens'),
    ...sumOf('cache_write_tokens'),
    ...(price === undefined
      ? {}
      : { list_price: (first.list_price ?? 0) + (other.list_price ?? 0) }),
  }
}

/** Returns the items of a run; the message that the model is writing comes last. */
export function itemsOf(run: RunView): readonly Item[] {
  const writing: Writing | undefined = run.writing
  if (!writing || (writing.text === '' && !writing.gap)) return run.items
  const text = writing.gap ? `${writing.text}…` : writing.text
  const key = `${run.id}-${writing.step}-0`
  return [...run.items, { kind: 'text', key, text, step: writing.step, live: true }]
}
