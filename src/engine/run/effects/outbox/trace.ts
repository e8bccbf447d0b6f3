/**
 * Exports an ended log as trace spans with deterministic IDs, so that a crash only repeats the
 * export. After a few failed attempts, the export is dropped and logged, because no run waits for
 * it.
 */

import type { FanoutState } from '../../../../core/fanout/state.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import { spansOfFanout } from '../../../../core/trace/fanout-span.ts'
import { spansOfRun } from '../../../../core/trace/run-spans.ts'
import type { Span } from '../../../../core/trace/span.ts'
import { fanoutPartition, runPartition } from '../../../partition/keys.ts'
import { factsAfter } from '../../../partition/log.ts'
import type { ContextOf, EffectResult } from '../../../partition/log-type.ts'
import type { Context } from '../context.ts'

const SENT = { acknowledged: { to: 'trace' } } as const satisfies EffectResult

/** Exports a run's trace. An exporter that was removed since the run's start receives nothing. */
export async function performTrace(context: Context): Promise<EffectResult> {
  const { world, tenant, state } = context
  if (!world.traces) return SENT
  const { id } = state.spec!
  const partition = runPartition(tenant, id)
  const rows = await world.store.read(partition)
  await send(context, id, partition, spansOfRun(factsAfter<RunFact>(rows, 0)))
  return SENT
}

export async function performFanoutTrace(context: ContextOf<FanoutState>): Promise<typeof SENT> {
  const { id } = context.state.spec!
  await send(context, id, fanoutPartition(context.tenant, id), spansOfFanout(context.state))
  return SENT
}

async function send(
  { world, tenant, signal }: Pick<ContextOf<unknown>, 'world' | 'tenant' | 'signal'>,
  id: string,
  partition: string,
  spans: readonly Span[],
): Promise<void> {
  if (!world.traces || spans.length === 0) return
  world.queue.leave?.(partition)
  const sent = await world.traces.export(spans, signal)
  if (sent.ok) return
  const { error: message } = sent
  const logFields = { [id.startsWith('fan_') ? 'fanout_id' : 'run_id']: id, spans: spans.length }
  world.log?.write({ level: 'warn', event: 'trace.lost', tenant, ...logFields, message })
}
