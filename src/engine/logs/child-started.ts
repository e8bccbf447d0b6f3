/**
 * Signals that a subagent has started, so that watchers of its parent see it at once; nothing
 * relies on it.
 */

import type { RunFact, Stamped } from '../../core/run/facts.ts'
import type { RunState } from '../../core/run/state.ts'
import type { FeedItem } from '../../ports/world.ts'
import { logPartition } from '../partition/keys.ts'

export function startedNews(
  tenant: string,
  { spec }: RunState,
  facts: readonly Stamped<RunFact>[],
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
