/** Fan-out effects: create, close, notify, and cancel. Each effect is idempotent. */

import type { FanoutFact } from '../../core/fanout/facts.ts'
import type { FanoutEffect } from '../../core/fanout/machine.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { CLOSING, nextEnd } from '../../core/fanout/state.ts'
import { fanoutLogType } from '../logs/fanout.ts'
import type { ContextOf, EffectHandlers, EffectResult } from '../partition/log-type.ts'
import { performFanoutTrace } from '../run/effects/outbox/trace.ts'
import { performClose, performTask, performTaskCancel } from './children.ts'
import { performPage, performPageCancel, performPageEnd } from './page.ts'
import { performFanoutEvents, performFanoutLate, performFanoutWebhook } from './webhook.ts'

const EFFECT_MS = 60_000

export const fanoutHandlers: EffectHandlers<FanoutState, FanoutFact, FanoutEffect> = {
  ...fanoutLogType,
  perform,
  needsCommit: () => true,
  isWork: ({ kind }) => kind === 'spawn' || kind === 'close',
  isOnce: () => false,
  isAsking: () => false,
  isSpawn: ({ kind }) => kind === 'spawn',
  timeoutMs: () => EFFECT_MS,
  overdue: () => undefined,
  deadline: nextEnd,
}

function perform(
  context: ContextOf<FanoutState>,
  effect: FanoutEffect,
): Promise<EffectResult<FanoutFact>> {
  switch (effect.kind) {
    case 'spawn':
      return context.state.spec?.open
        ? performPage(context, effect.index)
        : performTask(context, effect.index)
    case 'parent':
      return performPageEnd(context)
    case 'close':
      return performClose(context)
    case 'trace':
      return performFanoutTrace(context)
    case 'webhook':
      return performFanoutWebhook(context, effect.seq)
    case 'events':
      return performFanoutEvents(context, effect.seq)
    case 'cancel':
      return context.state.spec?.open && effect.call !== CLOSING
        ? performPageCancel(context, effect.call)
        : performTaskCancel(context, effect.call)
    case 'late':
      return performFanoutLate(context, effect.call)
  }
}
