/**
 * Notifies the parent that a subagent waits for a person, so that the parent's clock stops
 * meanwhile (protocol rule 22). The notice is mail like the announce; a later one replaces an
 * earlier one.
 */

import { personUntil } from '../../../core/run/approval.ts'
import { isFanoutId } from '../../../core/run/child.ts'
import type { RunFact } from '../../../core/run/facts.ts'
import { RECHECK_MS } from '../../../core/run/machine.ts'
import { assert } from '../../../lib/assert.ts'
import type { Lane } from '../../../ports/world.ts'
import { runPartition, wordKey } from '../../partition/keys.ts'
import type { Head } from '../../partition/log.ts'
import type { EffectResult } from '../../partition/log-type.ts'
import type { Context } from './context.ts'
import { retryLater } from './context.ts'

export async function performNotice(context: Context, word: number): Promise<EffectResult> {
  const { world, tenant, state } = context
  const parent = state.spec?.parent
  assert(parent, 'only a child has a parent to notify')
  const sent = { acknowledged: { to: 'notice', seq: word } } as const
  // A fan-out has no clock that could stand still.
  if (isFanoutId(parent.run_id)) return sent
  const partition = runPartition(tenant, parent.run_id)
  const [headRow] = await world.store.heads([partition])
  if (!headRow) return sent
  const lane = (JSON.parse(headRow.body) as Head).view.lane as Lane
  const alarm = { at: world.clock.now() + RECHECK_MS, lane, started: true }
  const key = wordKey(state.spec!.id, word)
  // Not create-only: the same word twice is the same letter, and one that was read counts no more.
  const body = JSON.stringify(mail(context, parent.call, word))
  const result = await world.store.commit(partition, [
    { op: 'put', key, body, expect: 'any', alarm },
  ])
  if (result !== 'ok') return retryLater(context)
  world.feed.publish(partition, { type: 'changed' })
  await world.queue.send([{ partition, lane, started: true, staleCount: 0 }])
  return sent
}

function mail({ state }: Context, call: string, word: number): RunFact {
  const run_id = state.spec!.id
  return state.waiting_on === 'approval'
    ? { type: 'subagent.waiting', call, run_id, word, until: personUntil(state) }
    : { type: 'subagent.resumed', call, run_id, word }
}
