/**
 * Creates the runs of a fan-out under derived names, so that a retrying worker finds the existing
 * run. Cancels these runs whether or not they have been created (PROTOCOL.md rules 1, 2, 16).
 */

import { restOf, shareOf, slicedAs } from '../../core/fanout/budget.ts'
import { closingSpec, fanoutChildId, taskSpec } from '../../core/fanout/child.ts'
import type { FanoutFact, FanoutSpec, TaskPlan } from '../../core/fanout/facts.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { CLOSING } from '../../core/fanout/state.ts'
import type { RunFact, RunSpec } from '../../core/run/log/facts.ts'
import { allotted } from '../../core/run/state/budget.ts'
import { warned } from '../../core/run/state/warning.ts'
import { assert } from '../../lib/assert.ts'
import type { Write } from '../../ports/world.ts'
import { command, createRun } from '../logs/run.ts'
import { secretFor, secretRows } from '../logs/webhook-secret.ts'
import { homeOfFanout } from '../partition/home.ts'
import { fanoutPartition, runPartition } from '../partition/keys.ts'
import type { ContextOf, EffectResult } from '../partition/log-type.ts'
import { resultsText } from './results.ts'
import { readTasks } from './tasks.ts'

type Context = ContextOf<FanoutState>

export async function performTask(
  context: Context,
  index: number,
): Promise<EffectResult<FanoutFact>> {
  const { world, tenant, state } = context
  const fanout = state.spec!
  const plan = (await readTasks(world, homeOfFanout(tenant, fanout), fanout))[index]
  assert(plan, `the fan-out has no task ${index}`)
  const spec = taskSpec(fanout, index, plan, { ...shareOf(state), ...slicedAs(state) })
  const created = await create(context, spec)
  return { facts: [spawned(String(index), created, plan)] }
}

export async function performClose(context: Context): Promise<EffectResult<FanoutFact>> {
  const { world, tenant, state } = context
  const fanout = state.spec!
  assert(fanout.closing, 'a closing run requires `then`')
  const results = await resultsText(world, tenant, state)
  const spec = closingSpec(fanout, fanout.closing, results, restOf(state))
  const created = await create(context, spec)
  return { facts: [spawned(CLOSING, created, { label: null, task: '' })] }
}

/** Creates a task's run idempotently; an existing run of this name has the same task. */
async function create(context: Context, spec: RunSpec): Promise<RunSpec> {
  const { world, tenant } = context
  const extra = await webhookSecretOf(context, spec)
  const facts: RunFact[] = [{ type: 'run.created', run: spec }]
  const { run } = await createRun(world, tenant, spec.id, facts, { extra, wakes: true })
  // Another worker may have allotted a different share to the run.
  return run.state.spec!
}

/**
 * Returns the fan-out's webhook secret, sealed for the run. The secret signs approvals below the
 * fan-out.
 */
async function webhookSecretOf({ world, tenant, state }: Context, spec: RunSpec): Promise<Write[]> {
  if (spec.webhook === null) return []
  const { id } = state.spec!
  return secretRows(await secretFor(world, fanoutPartition(tenant, id), id, spec.id))
}

const spawned = (
  call: string,
  spec: RunSpec,
  { label, task }: Pick<TaskPlan, 'label' | 'task'>,
): FanoutFact => ({
  type: 'subagent.spawned',
  call,
  run_id: spec.id,
  session_id: spec.session_id,
  agent: spec.agent,
  label,
  lane: spec.lane,
  task,
  ...warned(spec.warnings),
  ...allotted(spec.limits),
})

const REASON = 'the fan-out stopped waiting'

/**
 * Cancels a task's run. A missing run is created with its cancellation in one commit, so that a
 * later creation fails.
 */
export async function performTaskCancel(
  context: Context,
  call: string,
): Promise<EffectResult<FanoutFact>> {
  const { world, tenant, state } = context
  const fanout = state.spec!
  const partition = runPartition(tenant, fanoutChildId(fanout, call))
  const requested = { type: 'cancel.requested', by: 'parent', reason: REASON } as const
  const acknowledged = { to: 'child', call } as const
  if (await command(world, partition, [requested])) return { acknowledged }
  const spec = await missingSpec(context, fanout, call)
  const { fresh } = await createRun(world, tenant, spec.id, [
    { type: 'run.created', run: spec },
    { type: 'run.cancelled', stop_reason: 'cancelled', reason: REASON },
  ])
  // Another worker has created the run in the meantime, so an ordinary cancellation follows.
  if (!fresh) await command(world, partition, [requested])
  return { acknowledged }
}

async function missingSpec(
  { world, tenant }: Context,
  fanout: FanoutSpec,
  call: string,
): Promise<RunSpec> {
  if (call === CLOSING) return closingSpec(fanout, fanout.closing!, '', {})
  const index = Number(call)
  return taskSpec(
    fanout,
    index,
    (await readTasks(world, homeOfFanout(tenant, fanout), fanout))[index]!,
    {},
  )
}
