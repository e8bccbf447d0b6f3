/** Performs one effect of a run, and returns facts or an acknowledged outbox entry. */

import type { Effect } from '../../../core/run/decide/pending-effects.ts'
import type { EffectResult } from '../../partition/log-type.ts'
import { TenantHalted } from '../../tenant/state.ts'
import { performCancel } from './child/cancel.ts'
import { performSpawn } from './child/spawn.ts'
import type { Context } from './context.ts'
import { performFlush } from './model/flush.ts'
import { performModel } from './model/model.ts'
import { performAnnounce } from './outbox/announce.ts'
import { performEvents } from './outbox/events.ts'
import { performLate } from './outbox/late.ts'
import { performNotice } from './outbox/notice.ts'
import { performSchedule } from './outbox/schedule.ts'
import { performSession } from './outbox/session.ts'
import { performTrace } from './outbox/trace.ts'
import { performWebhook } from './outbox/webhook.ts'
import { performStart } from './start/start.ts'
import { performPrepare } from './tool/prepare.ts'
import { performTool } from './tool/tool.ts'

/** Performs an effect; one that its tenant's pause stopped has no result, and stays pending. */
export async function perform(context: Context, effect: Effect): Promise<EffectResult> {
  try {
    return await performOne(context, effect)
  } catch (error) {
    if (error instanceof TenantHalted) return {}
    throw error
  }
}

function performOne(context: Context, effect: Effect): Promise<EffectResult> {
  switch (effect.kind) {
    case 'start':
      return performStart(context)
    case 'model':
      return performModel(context, effect)
    case 'flush':
      return performFlush(context, effect.step)
    case 'prepare':
      return performPrepare(context, effect.call)
    case 'tool':
      return performTool(context, effect.call)
    case 'spawn':
      return performSpawn(context, effect.call)
    case 'announce':
      return performAnnounce(context)
    case 'session':
      return performSession(context)
    case 'schedule':
      return performSchedule(context)
    case 'trace':
      return performTrace(context)
    case 'webhook':
      return performWebhook(context, effect.seq)
    case 'events':
      return performEvents(context, effect.seq)
    case 'notice':
      return performNotice(context, effect.seq)
    case 'cancel':
      return performCancel(context, effect.call)
    case 'late':
      return performLate(context, effect.call)
  }
}
