/**
 * Log type of runs: how a run is folded, which other rows its commits write, and which mail may
 * wait.
 */

import { isLate, mustTellLate, recordLate } from '../../core/run/decide/accepts.ts'
import type { Effect } from '../../core/run/decide/pending-effects.ts'
import { apply } from '../../core/run/evolve.ts'
import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import { isTerminalFact } from '../../core/run/log/facts.ts'
import type { RunSpec } from '../../core/run/log/spec.ts'
import { runMachine } from '../../core/run/machine.ts'
import { promptFingerprint } from '../../core/run/prompt/transcript.ts'
import { stepOf } from '../../core/run/state/clock.ts'
import { type Draft, draftOf } from '../../core/run/state/draft.ts'
import { awaitsSpawn, type RunState } from '../../core/run/state/state.ts'
import { tagsOf } from '../../core/run/views/tags.ts'
import { view } from '../../core/run/views/view.ts'
import { iso } from '../../lib/time.ts'
import type { FeedItem, Listing, World, Write } from '../../ports/world.ts'
import { commandLog } from '../partition/append.ts'
import { type Created, createLog, wakeLog } from '../partition/create.ts'
import type { Turn } from '../partition/format.ts'
import { childrenList, logPartition, runPartition, runsList } from '../partition/keys.ts'
import { type Committed, readLog, readLogCached } from '../partition/log.ts'
import type { LogType } from '../partition/log-type.ts'
import { subscribedTypes } from '../webhook/endpoint/subscriptions.ts'
import { approvalRows } from './approval-rows.ts'
import { findSnapshot, keepSnapshot, mayHaveSnapshot } from './snapshot.ts'

/** Reads and folds a run's log; returns undefined if the run does not exist. */
export const readRun = (world: World, partition: string): Promise<Committed | undefined> =>
  readLog(world, runLogType, partition)

/** Reads a run's last committed state, for readers (`partition/log.ts`). */
export const readRunCached = (world: World, partition: string): Promise<Committed | undefined> =>
  readLogCached(world, runLogType, partition)

/** Appends external facts to a run's log (`partition/append.ts`). */
export const command = (
  world: World,
  partition: string,
  facts: readonly RunFact[],
): Promise<Committed | undefined> => commandLog(world, runLogType, partition, facts)

/**
 * Creates a run with its first facts and `extra` rows in one commit. With `wakes`, also wakes the
 * run.
 */
export const createRun = (
  world: World,
  tenant: string,
  id: string,
  facts: readonly RunFact[],
  { extra = [], wakes }: { readonly extra?: readonly Write[]; readonly wakes?: boolean } = {},
): Promise<Created> =>
  createLog(world, runLogType, runPartition(tenant, id), facts, {
    list: (state) => listing(tenant, state),
    extra,
    wakes,
  })

/**
 * Returns a run's list entry. Children are listed under their parent, all other runs under their
 * tenant.
 */
function listing(tenant: string, state: RunState): Listing | null {
  const spec = state.spec
  if (!spec) return null
  const under = spec.parent ? childrenList(tenant, spec.parent.run_id) : runsList(tenant)
  return { under, at: `${iso(state.created_at)} ${spec.id}` }
}

export const wakeRun = (
  world: World,
  partition: string,
  state: RunState,
  delayMs = 0,
): Promise<'ok' | 'lost'> => wakeLog(world, runLogType, partition, state, delayMs)

export const runLogType: LogType<RunState, RunFact, Effect> = {
  machine: runMachine,
  draftOf,
  apply,
  isTerminalFact,
  isRoot: ({ spec }) => spec?.parent === null,
  poisoned: (_, message) => ({
    type: 'run.failed',
    stop_reason: 'error',
    error: { code: 'poison', message },
  }),
  turnOf: ({ spec, started }) =>
    spec === null
      ? undefined
      : { lane: spec.lane, started: started !== null, ...rankOf(spec, started) },
  view: (state) => view(state),
  tags: tagsOf,
  rows: approvalRows,
  subscribedTypes,
  news: startedNews,
  snapshot: { mayBe: mayHaveSnapshot, find: findSnapshot, keep: keepSnapshot },
  isEarly,
  isLate,
  mustTellLate,
  recordLate: (draft, fact, at) => recordLate(draft as Draft, fact, at),
  discarded,
  stepped: stepOf,
  isLeaseOwners: ({ type }) => type === 'tool.call',
  isCausedBy,
}

/** Returns a run's priority. A started run has precedence over queued runs. */
const rankOf = ({ priority }: RunSpec, started: unknown): Pick<Turn, 'priority'> =>
  started !== null || priority === undefined ? {} : { priority }

/**
 * Returns whether a child's mail arrived before its parent recorded the child. Such mail waits for
 * the record.
 */
function isEarly(state: RunState, fact: RunFact): boolean {
  if (!('call' in fact) || fact.call === null) return false
  const call = state.calls.get(fact.call)
  return state.ended_at === null && call !== undefined && awaitsSpawn(call)
}

type Answer = Extract<RunFact, { readonly seen: number }>

/** Returns whether a fact is a billed model answer. */
const isAnswer = (fact: RunFact): fact is Answer =>
  fact.type === 'assistant.message' ||
  fact.type === 'transcript.compacted' ||
  fact.type === 'memory.noted'

/** Returns a fact with the usage of a late or discarded answer, because it was billed. */
function discarded(fact: RunFact): RunFact | undefined {
  if (!isAnswer(fact)) return undefined
  const { step, model, usage } = fact
  return { type: 'assistant.discarded', step, model: model ?? '', usage }
}

function isCausedBy(state: RunState, fact: RunFact, fingerprint: string | undefined): boolean {
  if (!isAnswer(fact)) return true
  return fingerprint === undefined || fingerprint === promptFingerprint(state, fact.seen)
}

/** Returns a notice to watchers of the parent that a subagent has started (best effort). */
function startedNews(
  tenant: string,
  { spec }: RunState,
  facts: readonly LoggedFact<RunFact>[],
): { readonly partition: string; readonly item: FeedItem } | undefined {
  if (!spec?.parent) return undefined
  const started = facts.find(({ fact }) => fact.type === 'run.started')
  if (started?.fact.type !== 'run.started') return undefined
  const { run_id, call } = spec.parent
  const { agent, model } = started.fact
  const data = { run_id: spec.id, parent_run_id: run_id, call, agent, model, label: spec.label }
  const item = { type: 'ephemeral', name: 'subagent.started', data } as const
  return { partition: logPartition(tenant, run_id), item }
}
