/** `schedule_wakeup`: creates, lists, and cancels wakeups of the run's session. */

import { LIMITS } from '../../core/limits.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import { scheduleWakeup as tool } from '../../core/tools/builtin/schedule-wakeup.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { cancelWakeup, createWakeup, listWakeups } from '../schedule/wakeup.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { type Caller, performed } from './tool.ts'

interface Args {
  readonly action?: 'schedule' | 'list' | 'cancel'
  readonly message?: string
  readonly delay_seconds?: number
  readonly at?: string
  readonly id?: string
}

export const scheduleWakeup = performed(tool, { perform })

async function perform(caller: Caller, args: Args): Promise<ToolAnswer> {
  const { world, tenant, state } = caller
  const spec = state.spec!
  if (spec.parent !== null) {
    return bad('A subagent cannot wake itself; put follow-ups in your result.')
  }
  if (args.action === 'list') {
    const wakeups = await listWakeups(world, tenant, spec.session_id)
    return good(JSON.stringify({ wakeups: wakeups.map(wakeupFields) }))
  }
  if (args.action === 'cancel') {
    const id = args.id?.trim() ?? ''
    const done = id !== '' && (await cancelWakeup(world, tenant, spec, id))
    return done
      ? good(JSON.stringify({ id, cancelled: true }))
      : bad(`NOT_FOUND: this session has no pending wakeup ${JSON.stringify(id.slice(0, 100))}.`)
  }
  const message = args.message?.trim() ?? ''
  if (message === '') return bad('INVALID_PARAMS: a message that says what to do is required.')
  const at = timeOf(args, world.clock.now())
  if (typeof at === 'string') return bad(`INVALID_PARAMS: ${at}`)
  const created = await createWakeup(world, tenant, state, { call: caller.call, message, at })
  return typeof created === 'string'
    ? bad(`LIMIT: ${created}`)
    : good(JSON.stringify(wakeupFields(created)))
}

function timeOf({ delay_seconds, at }: Args, now: number): number | string {
  if ((delay_seconds === undefined) === (at === undefined)) {
    return 'pass either delay_seconds or at.'
  }
  const time = at === undefined ? now + delay_seconds! * 1_000 : parseTime(at)
  if (time === undefined) return 'at must be a time such as 2026-03-01T09:00:00Z.'
  const { wakeup_seconds_min: least, wakeup_seconds_max: most } = LIMITS
  const seconds = (time - now) / 1_000
  if (seconds >= least && seconds <= most) return time
  return `wake-up must be in ${least} to ${most} seconds.`
}

const wakeupFields = ({ name, when, run }: Schedule) => ({
  id: name,
  at: when.type === 'at' ? iso(when.at) : null,
  message: run.input.slice(0, 200),
})
