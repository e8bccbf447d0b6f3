/** Represents a turn with its texts, for APIs in other vendors' formats. */

import type { Body, Usage } from '../../core/message.ts'
import { addUsage, NO_USAGE } from '../../core/message.ts'
import { effectiveArguments } from '../../core/run/human-input/approval.ts'
import { isTerminalFact } from '../../core/run/log/facts.ts'
import { runMachine } from '../../core/run/machine.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { homeOfRun } from '../../engine/partition/home.ts'
import { load } from '../../engine/tenant/blobs.ts'
import type { World } from '../../ports/world.ts'
import type { Facts } from '../stream/tail.ts'
import { type Turn, turnsOf } from './turns.ts'

export interface TurnView extends Turn {
  readonly run: string
  readonly state: RunState
  readonly steps: readonly StepView[]
  /** Model usage in this turn, including that of descendant runs. */
  readonly usage: Usage
  readonly created_at: number
  readonly ended_at: number | null
  /** True if the caller requires structured data, so that only the final text is the answer. */
  readonly isShaped: boolean
}
export interface StepView {
  /** Seq of the step's message in the log. */
  readonly seq: number
  readonly step: number
  readonly text: string
  readonly calls: readonly CallView[]
  /** True if all tool calls of the step have results. */
  readonly over: boolean
}
export interface CallView {
  readonly index: number
  readonly tool: string
  readonly arguments: string
  /** True if the caller performs the tool call. */
  readonly isCallers: boolean
  readonly server: string
  readonly result: { readonly text: string; readonly is_error: boolean } | null
}

/** Returns the view of a turn; undefined if the run has not reached the turn. */
export async function viewTurn(
  world: World,
  tenant: string,
  facts: Facts,
  index: number,
): Promise<TurnView | undefined> {
  if (facts.length === 0) return undefined
  const turns = turnsOf(facts)
  const turn = turns[index] ?? begunAfter(turns, index)
  return turn && viewOf(world, tenant, facts, turn)
}

/** Returns a view of the whole run as one turn, regardless of waits. */
export function viewRun(world: World, tenant: string, facts: Facts): Promise<TurnView> {
  const last = facts.at(-1)?.fact
  const end = last && isTerminalFact(last) ? last : undefined
  return viewOf(world, tenant, facts, { index: 0, first: 0, facts, end, questions: [] })
}

async function viewOf(world: World, tenant: string, facts: Facts, turn: Turn): Promise<TurnView> {
  const last = turn.facts.at(-1)
  const upto = last === undefined ? facts : facts.slice(0, last.seq)
  const state = runMachine.evolve(runMachine.initial, upto)
  const home = homeOfRun(tenant, state.spec)
  const read = (body: Body): Promise<string> => load(world, home, body)
  const steps: StepView[] = []
  let usage = NO_USAGE
  for (const { seq, fact } of turn.facts) {
    if (fact.type === 'assistant.message') steps.push(await stepView(state, seq, fact.step, read))
    if (fact.type === 'assistant.message' || fact.type === 'assistant.discarded')
      usage = addUsage(usage, fact.usage)
    if (fact.type === 'subagent.announced' || fact.type === 'subagent.failed')
      usage = addUsage(usage, fact.announce.usage)
  }
  return {
    ...turn,
    run: state.spec!.id,
    state,
    steps,
    usage,
    created_at: turn.facts[0]?.at ?? facts.at(-1)!.at,
    ended_at: turn.end === undefined ? null : (last?.at ?? null),
    isShaped: state.spec!.output_schema !== undefined,
  }
}

/**
 * Returns the empty turn after a waiting turn, before the new turn has its first fact; undefined
 * for other turns.
 */
function begunAfter(turns: readonly Turn[], index: number): Turn | undefined {
  const previous = turns.at(-1)
  if (previous?.end !== 'parked' || index !== previous.index + 1) return undefined
  const steps = previous.facts.filter(({ fact }) => fact.type === 'assistant.message').length
  return { index, first: previous.first + steps, facts: [], end: undefined, questions: [] }
}

type Read = (body: Body) => Promise<string>

async function stepView(state: RunState, seq: number, step: number, read: Read): Promise<StepView> {
  const { parts, calls } = state.steps[step]!
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const visible = calls.map((id) => state.calls.get(id)!).filter(({ mode }) => mode !== 'question')
  return {
    seq,
    step,
    text: (await Promise.all(texts.map(read))).join('\n'),
    over: calls.every((id) => state.calls.get(id)!.result !== null),
    calls: await Promise.all(
      visible.map(async (call) => {
        const { index, tool, mode, result } = call
        return {
          index,
          tool,
          isCallers: mode === 'caller',
          server: /^mcp__(.+?)__/.exec(tool)?.[1] ?? 'strata',
          // The effective arguments are used, because a person may have changed the call.
          arguments: await read(mode === 'caller' ? effectiveArguments(call) : call.arguments),
          result: result && { text: await read(result.text), is_error: result.is_error },
        }
      }),
    ),
  }
}
