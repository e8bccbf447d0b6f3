/** Performs one effect and returns facts or an acknowledged outbox entry. */

import type { Effect } from '../../../core/run/pending-effects.ts'
import type { EffectResult } from '../../partition/log-type.ts'
import { performAnnounce } from './announce.ts'
import { performCancel } from './cancel.ts'
import type { Context } from './context.ts'
import { performEvents } from './events.ts'
import { performFlush } from './flush.ts'
import { performLate } from './late.ts'
import { performModel } from './model.ts'
import { performNotice } from './notice.ts'
import { performPrepare } from './prepare.ts'
import { performSchedule } from './schedule.ts'
import { performSession } from './session.ts'
import { performSpawn } from './spawn.ts'
import { performStart } from './start.ts'
import { performTool } from './tool.ts'
import { performTrace } from './trace.ts'
import { performWebhook } from './webhook.ts'

export function perform(context: Context, effect: Effect): Promise<EffectResult> {
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
