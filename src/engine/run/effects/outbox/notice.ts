/**
 * Notifies the parent that a subagent waits for a person or a model, which stops the parent's clock
 * (PROTOCOL.md rule 22). The notice is mail, like the announce. A later notice replaces an earlier
 * one.
 */

import { isFanoutId } from '../../../../core/run/decide/child.ts'
import { personUntil } from '../../../../core/run/human-input/approval.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import { isStopped } from '../../../../core/run/state/state.ts'
import { assert } from '../../../../lib/assert.ts'
import { runPartition, wordKey } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { post } from '../../../partition/mailbox.ts'
import { headOf } from '../../../partition/stored.ts'
import type { Context } from '../context.ts'
import { retryLater } from '../context.ts'

export async function performNotice(context: Context, word: number): Promise<EffectResult> {
  const { world, tenant, state } = context
  const parent = state.spec?.parent
  assert(parent, 'the run has no parent to notify')
  const sent = { acknowledged: { to: 'notice', seq: word } } as const
  // A fan-out has no clock to stop, so it gets no notice.
  if (isFanoutId(parent.run_id)) return sent
  const partition = runPartition(tenant, parent.run_id)
  const [headRow] = await world.store.heads([partition])
  if (!headRow) return sent
  const lane = headOf(headRow.body).turn.lane
  const key = wordKey(state.spec!.id, word)
  const posted = await post(world, {
    partition,
    key,
    mail: noticeOf(context, parent.call, word),
    lane,
    // Overwriting is allowed, because a repeated notice has the same content and a read notice no
    // longer counts.
    expect: 'any',
    news: 'changed',
    arrived: async () => false,
  })
  return posted === 'posted' ? sent : retryLater(context)
}

const NOTICED = {
  approval: undefined,
  input: 'input',
  function: 'input',
  subagents: 'model',
} as const

function noticeOf({ state, world }: Context, call: string, word: number): RunFact {
  const run_id = state.spec!.id
  const waits = { type: 'subagent.waiting', call, run_id, word } as const
  if (state.outage?.isReported) {
    return { ...waits, until: state.outage.gives_up_at ?? null, on: 'model' }
  }
  if (isStopped(state.waiting)) {
    const on = NOTICED[state.waiting.on]
    return { ...waits, until: personUntil(state, world.clock.now()), ...(on ? { on } : {}) }
  }
  return { type: 'subagent.resumed', call, run_id, word }
}
