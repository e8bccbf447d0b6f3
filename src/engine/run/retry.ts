/** Retries the model call of a parked run immediately, instead of at the end of the run's pause. */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { isTerminal, liveChildren } from '../../core/run/state/state.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { command, readRun } from '../logs/run.ts'
import { parsePartition, runPartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { audit } from '../tenant/audit.ts'

interface Retried {
  readonly run: Committed
  /** IDs of the retried runs: the run itself, or its subagents that waited for a model. */
  readonly retried: readonly string[]
}

/**
 * Retries a run's model call; `by` is the ID of the API key, for the audit log. Rejects with
 * `not_found`, `run_ended`, or, if neither the run nor a subagent waits for a model, `conflict`.
 */
export async function retryRun(
  world: World,
  partition: string,
  by: string,
): Promise<Outcome<Retried, Refusal>> {
  const { tenant, id } = parsePartition(partition)
  const run = await readRun(world, partition)
  if (!run) return fail(refusal('not_found', 'Run not found.'))
  if (isTerminal(run.state)) return fail(refusal('run_ended', 'The run has ended.'))
  const retried = await retryTree(world, tenant, id, run.state)
  if (retried.length === 0 && !run.state.outage) {
    const condition = run.state.waiting
      ? `is waiting for ${run.state.waiting.on}`
      : 'is not waiting'
    return fail(refusal('conflict', `The run is not waiting for its model; it ${condition}.`))
  }
  if (retried.length > 0) {
    const about = { kind: 'run', name: id, action: 'retry', by, number: 0 } as const
    const below = retried[0] === id ? undefined : `${retried.length} subagents`
    await audit(world, tenant, { ...about, detail: below })
  }
  return ok({ run: (await readRun(world, partition)) ?? run, retried })
}

/** Retries the model calls of a waiting run or its subagents. Returns the IDs of these runs. */
async function retryTree(
  world: World,
  tenant: string,
  id: string,
  state: RunState,
): Promise<readonly string[]> {
  if (state.waiting?.on === 'model') {
    const resumed = { type: 'run.resumed', by: 'api' } as const
    await command(world, runPartition(tenant, id), [resumed])
    return [id]
  }
  const below = liveChildren(state).flatMap(({ child }) => (child?.waits ? [child.run_id] : []))
  const each = await Promise.all(
    below.map(async (child) => {
      const run = await readRun(world, runPartition(tenant, child))
      return run && !isTerminal(run.state) ? retryTree(world, tenant, child, run.state) : []
    }),
  )
  return each.flat()
}
