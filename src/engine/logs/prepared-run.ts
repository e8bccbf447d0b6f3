/**
 * Creates a run from prepared input. The request and the session's ticket (PROTOCOL.md rule 25)
 * thus create the same run, once.
 */

import type { RunFact, RunSpec } from '../../core/run/log/facts.ts'
import type { World } from '../../ports/world.ts'
import type { Created } from '../partition/create.ts'
import { runPartition } from '../partition/keys.ts'
import { NEAR_MS } from '../partition/rows.ts'
import { createRun, wakeRun } from './run.ts'
import { secretRows } from './webhook-secret.ts'

/** Complete input for creating a run without its caller, stored in a session ticket. */
export interface PreparedRun {
  readonly spec: RunSpec
  /** Sealed secret of the run's webhook. */
  readonly secret: string | null
}

/** Creates a prepared run idempotently. A queued run waits without a wake. */
export async function createPrepared(
  world: World,
  tenant: string,
  { spec, secret }: PreparedRun,
): Promise<Created> {
  const facts: RunFact[] = [{ type: 'run.created', run: spec }]
  if (spec.turn && !spec.turn.granted)
    facts.push({ type: 'run.waiting', on: 'session', until: null })
  const delay = (spec.start_at ?? 0) - world.clock.now()
  const wakes = !spec.turn || spec.turn.granted
  const extra = secretRows(secret)
  const created = await createRun(world, tenant, spec.id, facts, {
    extra,
    wakes: wakes && delay <= 0,
  })
  // The tick would fire the alarm late, but a delayed wake is on time.
  if (created.fresh && delay > 0 && delay < NEAR_MS) {
    await wakeRun(world, runPartition(tenant, spec.id), created.run.state, delay)
  }
  return created
}
