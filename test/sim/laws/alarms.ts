/** When somebody looks again (rules 9, 10, 31): near enough, not too often, and never in a circle. */

import type { Head } from '../../../src/engine/partition/format.ts'
import type { HeadWrite } from '../../../src/ports/world.ts'
import type { Shadow, ShadowCall } from '../shadow/shadow.ts'
import { hasOpen, pendingWaited, TERMINAL } from '../shadow/shadow.ts'
import { EPOCH, type Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import { personUntil, waitsStill } from './approvals.ts'
import { GRACE_MS } from './holders.ts'

interface Resent {
  count: number
  readonly since: number
}
interface Touched {
  count: number
  readonly since: number
}

const LOOK_MS = 60_000
const BACKOFF_MAX_MS = 900_000
/** So many operations on one partition without a commit, within so long, are a circle. */
const HOT = 600
const HOT_MS = 300_000
/** What has ended is sent so often at most while there are consumers who could look. */
const AT_REST = 60

export class Alarms {
  readonly #sim: Sim
  readonly #hot = new Map<string, Touched>()
  readonly #resent = new Map<string, Resent>()
  readonly #sentAtRest = new Map<string, number>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  committed(partition: string): void {
    this.#hot.delete(partition)
  }

  /** It moved: whatever was sent again before is forgotten. */
  moved(partition: string): void {
    this.#resent.delete(partition)
  }

  /** Rule 9: what lives or owes has a time at which somebody looks again. */
  I15_alarmIsSet(shadow: Shadow, head: Head, write: HeadWrite): void {
    const { partition, status } = shadow
    const { outbox } = head
    const told = outbox.webhook.length === 0 && outbox.events == null
    // What is owed at the end is not due before.
    const words =
      outbox.notice != null || (outbox.session && TERMINAL.has(status)) || outbox.schedule
    const below = outbox.cancel.length > 0 || (outbox.late ?? []).length > 0
    const owes = outbox.parent || words || !told || below
    const live = !TERMINAL.has(status)
    if (!live && !owes) {
      this.#sim.law.retention.I15_restIsRest(shadow, head, write)
      if (head.lease) this.#breach('I15_noLeaseAtRest', `${partition} has ended and is leased`)
      return
    }
    const at = write.alarm?.at
    if (at === undefined) return this.#breach('I15_alarmIsSet', `${partition} (${status}) has none`)
    if (at !== head.wake_at) this.#breach('I15_alarmIsSet', `${partition}: not what the head says`)
    const now = EPOCH + this.#sim.schedule.now
    const waits = status === 'waiting' || this.waitsForRoom(shadow)
    const parked = live && waits && shadow.cancelledAt === undefined && !owes
    const begins = live && shadow.startedAt === undefined ? (shadow.spec?.start_at ?? now) : now
    const until = Math.max(now, parked ? this.#parkedUntil(shadow) : begins)
    const most = until + (head.redeliveries > 0 ? BACKOFF_MAX_MS : LOOK_MS) + GRACE_MS
    if (at > most) this.#breach('I18_alarmIsNear', `${partition} (${status}): ${at - now} ms away`)
  }

  /** Rules 19, 23: the next child follows when one of those that live has ended. */
  waitsForRoom({ calls, spec }: Shadow): boolean {
    const open = [...calls.values()].filter(({ result }) => result === undefined)
    const living = [...calls.values()].filter((c) => c.child && !c.announced && !c.givenUp)
    const { live_children = 0, max_tokens, max_cost_usd } = spec?.limits ?? {}
    const priced = (max_tokens ?? max_cost_usd ?? null) !== null
    const full = living.length >= live_children || (priced && living.length > 0)
    // Or for a person: the decision wakes it, or the time at which it expires.
    const held = pendingWaited({ calls })
    const waits = (call: ShadowCall): boolean =>
      held.includes(call) ||
      call.mode === 'question' ||
      call.mode === 'caller' ||
      (call.paused && call.intent === undefined) ||
      (call.asked ? !call.asked.decision : call.mode === 'spawn' && full)
    return open.length > 0 && open.every(waits)
  }

  #parkedUntil(shadow: Shadow): number {
    if (shadow.waitingOn === 'model') return shadow.waitingUntil ?? 0
    if (shadow.waitingOn === 'session') return 0
    if (waitsStill(shadow)) return personUntil(shadow)
    const seconds = shadow.spec?.join.deadline_seconds
    const end = (shadow.startedAt ?? 0) + shadow.stillMs + shadow.timeout * 1000
    const since = hasOpen(shadow) ? shadow.joiningSince : shadow.barrierSince
    if (seconds == null || since === undefined) return end
    return Math.min(end, since + seconds * 1000)
  }

  I15_pendingDeliveryHasAnAlarm(partition: string, head: HeadWrite): void {
    const { delivery } = JSON.parse(head.body) as { delivery: { status: string } }
    if ((delivery.status === 'pending') === (head.alarm !== undefined)) return
    this.#breach('I15_pendingDeliveryHasAnAlarm', `${partition} is ${delivery.status}`)
  }

  /** The tick sent this partition again. */
  I18_theTickBacksOff(partition: string): void {
    const { now } = this.#sim.schedule
    const status =
      this.#sim.law.runs.get(partition)?.status ??
      this.#sim.law.fanouts.byPartition.get(partition)?.status
    if (TERMINAL.has(status ?? '')) return this.#I18_restIsLeftAlone(partition)
    const known = this.#resent.get(partition) ?? { count: 0, since: now }
    known.count += 1
    this.#resent.set(partition, known)
    const minutes = (now - known.since) / 60_000
    const most = 10 + 2 * Math.log2(1 + minutes) + minutes / 7
    if (known.count > most) {
      this.#breach(
        'I18_theTickBacksOff',
        `${partition} was sent ${known.count} times in ${minutes.toFixed(0)} min`,
      )
    }
  }

  /** A letter that came too late keeps it due for a while, and what it still owes. */
  #I18_restIsLeftAlone(partition: string): void {
    const { law, broker } = this.#sim
    // A suspect's mail waits until its pause is over, up to a quarter of an hour.
    if (law.newer.has(partition) || law.suspects.isOne(partition)) return
    if (broker.down || broker.joins(partition)) return
    const count = (this.#sentAtRest.get(partition) ?? 0) + 1
    this.#sentAtRest.set(partition, count)
    if (count === AT_REST) {
      this.#breach('I18_restIsLeftAlone', `${partition} has ended and was sent ${count} times`)
    }
  }

  touched(process: Process, partition: string): void {
    const { now } = this.#sim.schedule
    const known = this.#hot.get(partition)
    const hot = known && now - known.since < HOT_MS ? known : { count: 0, since: now }
    this.#hot.set(partition, hot)
    hot.count += 1
    if (hot.count <= HOT) return
    const message = `${partition}: ${hot.count} operations without a commit, ${process.name}`
    this.#breach('I18_nobodySpins', message)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
