/**
 * Creating a run: one commit that holds its facts, named beforehand, so that doing it twice is
 * doing it once. 202 is sent after this commit (promise 1); the wake is best effort (rule 31).
 */

import { evolve } from '../core/run/evolve.ts'
import type { RunFact } from '../core/run/facts.ts'
import { LOOK_AGAIN_MS } from '../core/run/machine.ts'
import type { RunState } from '../core/run/state.ts'
import { INITIAL, isTerminal, owesNothing } from '../core/run/state.ts'
import { view } from '../core/run/view.ts'
import { base64url } from '../lib/bytes.ts'
import { iso } from '../lib/time.ts'
import type { Listing, World, Write } from '../ports/world.ts'
import { watchedTypes } from './endpoint/tell.ts'
import type { Committed, Head } from './log.ts'
import { FORMAT, readRun, remember } from './log.ts'
import { childrenList, runPartition, runsList } from './names.ts'
import { alarmOf, factRows } from './rows.ts'

export interface Created {
  readonly run: Committed
  /** False when a run of this name was there before: the caller looks at what it is. */
  readonly fresh: boolean
}

/** The name is settled, so that trying again is safe. */
const TRIES = 3
const PAUSE_MS = 50

/** Creates the run with these first facts; `extra` rows go into the same commit. */
export async function createRun(
  world: World,
  tenant: string,
  id: string,
  facts: readonly RunFact[],
  extra: readonly Write[] = [],
): Promise<Created> {
  const partition = runPartition(tenant, id)
  const now = world.clock.now()
  const stamped = facts.map((fact, index) => ({ seq: index + 1, at: now, fact }))
  const watched = await watchedTypes(world, tenant)
  const state = evolve({ ...INITIAL, watched }, stamped)
  const commit = base64url(world.clock.random(12))
  const head = firstHead(state, now, { commit, listed: listing(tenant, state) })
  const rows = factRows(stamped, { commit, epoch: 0 })
  for (let attempt = 1; ; attempt += 1) {
    const result = await world.store.commit(partition, [...rows, ...extra], {
      expect: null,
      body: JSON.stringify(head),
      alarm: alarmOf(head.wake_at, state),
      listed: head.listed ?? undefined,
    })
    if (result === 'ok') {
      const lastKey = rows.at(-1)?.key ?? ''
      const run = { version: 1, head, state, lastKey, letters: [] }
      return { run: remember(world.store, partition, run), fresh: true }
    }
    const found = await readRun(world, partition)
    if (found) return { run: found, fresh: found.head.commit === commit }
    if (attempt === TRIES) throw new Error(`creating ${partition} was ${result}, nothing is there`)
    await world.clock.sleep(PAUSE_MS * attempt)
  }
}

function firstHead(
  state: RunState,
  now: number,
  { commit, listed }: Pick<Head, 'commit' | 'listed'>,
): Head {
  const owes = !isTerminal(state) || !owesNothing(state.debts)
  return {
    format: FORMAT,
    seq: state.seq,
    at: now,
    commit,
    epoch: 0,
    lease: null,
    debts: state.debts,
    wake_at: owes ? now + LOOK_AGAIN_MS : null,
    resends: 0,
    listed,
    view: view(state),
  }
}

/** Children are listed under their parent, all others under their tenant. */
function listing(tenant: string, state: RunState): Listing | null {
  const spec = state.spec
  if (!spec) return null
  const under = spec.parent ? childrenList(tenant, spec.parent.run_id) : runsList(tenant)
  return { under, at: `${iso(state.created_at)} ${spec.id}` }
}

/** "Look at this run." Nobody retries a lost wake: `wakeAt` brings the run back. */
export function wakeRun(world: World, partition: string, state: RunState): Promise<'ok' | 'lost'> {
  const lane = state.spec?.lane ?? 'main'
  return world.queue.send([{ partition, lane, started: state.started !== null, hops: 0 }])
}
