/**
 * The laws of failure-model.md, judged at every commit and at every effect. A function that carries
 * an invariant's id in its name judges that invariant; the first breach ends the seed.
 *
 * Not yet, because what they speak of does not exist: I3 (sessions), I13 (approvals), I14
 * (schedules), the idempotency half of I11, the budget half of I16, I21 (two versions at once).
 * I4 (lane limits) is a host's. I17 holds trivially until `poison` exists. I19 is judged as "no
 * partition of one tenant names another's runs". I23 is `--twice`.
 */

import { isFanoutId } from '../../src/core/run/child.ts'
import type { RunFact } from '../../src/core/run/facts.ts'
import type { Head } from '../../src/engine/log.ts'
import type { Outcome } from '../../src/lib/outcome.ts'
import type { HeadWrite, ModelRequest, WebAnswer, WebRequest } from '../../src/ports/world.ts'
import { Conversations } from './conversations.ts'
import { Fanouts } from './fanouts.ts'
import type { Process } from './process.ts'
import { EPOCH } from './process.ts'
import type { Shadow } from './shadow.ts'
import { breaches, fold, newShadow, TERMINAL } from './shadow.ts'
import { ENDPOINT_URL, type Sim } from './sim.ts'
import type { Applied } from './store.ts'

/** Stands in every secret; must stand nowhere else. */
export const CANARY = 'CANARY5EC2E7CANARY5EC2E7CANARY5E'
/** Stands in every text that tools and models write; must never reach the system role. */
export const UNTRUSTED = 'UNTRUSTED'

export interface Violation {
  readonly id: string
  readonly message: string
  readonly at: number
}

interface Received {
  readonly ids: Set<string>
  posts: number
  accepted: number
}
interface Performed {
  count: number
  readonly keys: Set<string>
}
interface Resent {
  count: number
  readonly since: number
}

const GRACE_MS = 11_000
const LOOK_MS = 60_000
const BACKOFF_MAX_MS = 900_000
const HOT = 600

export class Invariants {
  readonly violations: Violation[] = []
  readonly runs = new Map<string, Shadow>()
  /** By call id, to find the log of an effect. */
  readonly callOwner = new Map<string, Shadow>()
  readonly byPlan = new Map<string, Shadow>()
  readonly received = new Map<string, Received>()
  readonly effects = new Map<string, Performed>()
  readonly acknowledged = new Set<string>()
  readonly conversations: Conversations
  readonly fanouts: Fanouts
  commits = 0
  readonly #sim: Sim
  #committer: Process | undefined
  readonly #hot = new Map<string, number>()
  /** Partitions that a worker left by throwing: its lease then says nothing. */
  readonly #gaveUp = new Set<string>()
  readonly #resent = new Map<string, Resent>()
  readonly #leases = new Map<string, { readonly head: Head; readonly by: Process | undefined }>()

  constructor(sim: Sim) {
    this.#sim = sim
    this.conversations = new Conversations(this)
    this.fanouts = new Fanouts(sim)
    sim.schedule.onSpin = () => this.breach('I18_nobodySpins', 'time stands still')
  }

  breach(id: string, message: string): void {
    const { schedule } = this.#sim
    this.violations.push({ id, message, at: schedule.now })
    schedule.note(`*** ${id}: ${message}`)
    schedule.stop()
  }

  rare(name: string): void {
    this.#sim.rare(name)
  }

  by<T>(process: Process, act: () => T): T {
    this.#committer = process
    try {
      return act()
    } finally {
      this.#committer = undefined
    }
  }

  // ── After every commit ───────────────────────────────────────────────────────────────────────

  committed(applied: Applied): void {
    this.commits += 1
    const { partition, writes, head } = applied
    for (const write of writes) if (write.op === 'put') this.I22_noSecret(write.body, partition)
    if (head) this.I22_noSecret(head.body, partition)
    this.#hot.delete(partition)
    const kind = partition.split('/')[1]
    if (kind === 'run') this.#commit(applied)
    if (kind === 'fanout') {
      this.fanouts.committed(applied)
      if (head && (JSON.parse(head.body) as Head).resends === 0) this.#resent.delete(partition)
    }
    if (kind === 'delivery' && head) {
      this.I15_pendingDeliveryHasAnAlarm(partition, head)
      if ((JSON.parse(head.body) as Head).resends === 0) this.#resent.delete(partition)
    }
  }

  #commit({ partition, writes, head, before }: Applied): void {
    const shadow = this.runs.get(partition) ?? newShadow(partition)
    this.runs.set(partition, shadow)
    for (const write of writes) {
      if (write.op === 'put' && write.key.startsWith('in/')) this.#letter(shadow, write)
      if (write.key.startsWith('f/'))
        this.I6_rowsNeverChange(shadow, write.key, before.has(write.key))
    }
    for (const write of writes) {
      if (write.op === 'put' && write.key.startsWith('f/')) this.#facts(shadow, write.body)
    }
    if (!head) return
    const now = JSON.parse(head.body) as Head
    const was = this.#leases.get(partition)
    if (was) this.I12_theHolderEndsIt(shadow, was.head)
    if (was) this.I8_theHolderJudges(shadow, was.head)
    this.I9_headCountsTheLog(shadow, now)
    if (was) this.I2_epochsAndLeases(shadow, was, now)
    if (was && was.head.seq < now.seq) this.I12_anEndOwesItsCascade(shadow, now)
    this.I15_alarmIsSet(shadow, now, head)
    this.#leases.set(partition, { head: now, by: this.#committer })
    if (now.resends === 0) this.#resent.delete(partition)
  }

  #facts(shadow: Shadow, body: string): void {
    const row = JSON.parse(body) as { first: number; at: number; facts: RunFact[] }
    if (row.first !== shadow.facts.length + 1) {
      this.breach('I9_seqIsDense', `${shadow.partition}: ${row.first} after ${shadow.facts.length}`)
      return
    }
    const last = shadow.times.at(-1) ?? 0
    if (row.at < last)
      this.breach('I9_timeNeverGoesBack', `${shadow.partition}: ${row.at} < ${last}`)
    for (const fact of row.facts) {
      const { schedule } = this.#sim
      schedule.note(`    ${shadow.partition.slice(-6)} ${shadow.facts.length + 1} ${fact.type}`)
      const broken = breaches(shadow, fact, row.at)
      for (const [id, message] of broken) this.breach(id, `${shadow.partition}: ${message}`)
      if (broken.length > 0) return
      fold(shadow, fact, row.at, schedule.now)
      this.#index(shadow, fact)
    }
  }

  #index(shadow: Shadow, fact: RunFact): void {
    if (fact.type === 'assistant.message') {
      for (const { id } of fact.calls) {
        if (this.callOwner.has(id)) this.breach('I6_callIdsAreUnique', `${id} stands in two runs`)
        this.callOwner.set(id, shadow)
      }
    }
    if (fact.type === 'run.created') this.I5_onePlanOneRun(shadow)
    if (fact.type === 'tool.result' && fact.status === 'unknown') this.rare('unknown outcome')
    if (fact.type === 'barrier.released' && fact.missing.length > 0)
      this.rare('released without some')
    if (fact.type === 'run.cancelled' && shadow.steps === 0) this.rare('cancelled before it began')
    if (fact.type === 'run.cancelled' && shadow.facts.length === 2) this.rare('tombstone')
    if (fact.type === 'run.timed_out') {
      this.rare('timed out')
      this.I15_nobodyWaitsForTheDead(shadow)
    }
    if (fact.type === 'run.completed' && shadow.spec?.parent === null) this.rare('finish wins')
  }

  I5_onePlanOneRun(shadow: Shadow): void {
    const input = shadow.spec?.input[0]?.text
    const text = typeof input === 'string' ? input : (input?.preview ?? '')
    const plan = /^\{"id":"([^"]+)"/.exec(text)?.[1]
    // A tombstone has no task.
    if (plan === undefined) return
    const other = this.byPlan.get(plan)
    if (other)
      this.breach('I5_onePlanOneRun', `${plan} became ${other.partition} and ${shadow.partition}`)
    this.byPlan.set(plan, shadow)
    const parent = shadow.spec?.parent
    if (!parent) return
    if (isFanoutId(parent.run_id)) return this.fanouts.born(shadow)
    const above = this.parentOf(shadow)
    if (!above) this.breach('I19_oneTenant', `${shadow.partition} has a parent in another tenant`)
    else this.I4_childrenAreBounded(above)
    if (above) this.I12_noBirthAfterTheCascade(above, parent.call)
  }

  /** Rule 16: once a child counts as cancelled, a creation that was on its way must lose. */
  I12_noBirthAfterTheCascade(parent: Shadow, call: string): void {
    if (!['failed', 'cancelled', 'timed_out'].includes(parent.status)) return
    const owed = this.#leases.get(parent.partition)?.head.debts.cancel ?? []
    if (owed.includes(call)) return
    this.breach('I12_noBirthAfterTheCascade', `${parent.partition}: ${call} is born too late`)
  }

  parentOf({ partition, spec }: Shadow): Shadow | undefined {
    return spec?.parent ? this.#run(partition.split('/')[0]!, spec.parent.run_id) : undefined
  }

  #run(tenant: string, id: string): Shadow | undefined {
    return this.runs.get(`${tenant}/run/${id}`)
  }

  /** Rule 19: so many children of one parent live at once, and no more. */
  I4_childrenAreBounded(parent: Shadow): void {
    let living = 0
    for (const child of this.runs.values()) {
      const link = child.spec?.parent
      if (link?.run_id !== parent.spec?.id || TERMINAL.has(child.status)) continue
      if (!parent.calls.get(link?.call ?? '')?.givenUp) living += 1
    }
    const most = parent.spec?.limits.live_children ?? 0
    if (living > most)
      this.breach('I4_childrenAreBounded', `${parent.partition}: ${living} of ${most}`)
  }

  /** A parent that runs out of time must not have been waiting for children that ended long ago. */
  I15_nobodyWaitsForTheDead(parent: Shadow): void {
    const { schedule, quietSince } = this.#sim
    const long = schedule.now - 25 * 60_000
    if (parent.waitingOn !== 'subagents' || quietSince > long) return
    const tenant = parent.partition.split('/')[0]!
    const pending = [...parent.calls.values()].filter((c) => c.child && !c.announced && !c.givenUp)
    const dead = pending.find(
      ({ child }) => (this.#run(tenant, child!)?.endedAt ?? schedule.now) < long,
    )
    if (dead)
      this.breach('I15_nobodyWaitsForTheDead', `${parent.partition} waited for ${dead.child}`)
  }

  #letter(parent: Shadow, write: { key: string; alarm?: unknown; body: string }): void {
    if (!write.alarm) this.breach('I15_letterHasAnAlarm', `${parent.partition} ${write.key}`)
    const letter = JSON.parse(write.body) as { call: string }
    const call = parent.calls.get(letter.call)
    if (!call?.child) this.rare('letter before the child is recorded')
    else if (parent.status === 'running') this.rare('child done before the parent parks')
    if (call?.announced) this.rare('letter repeated after it was read')
    if (TERMINAL.has(parent.status)) this.rare('letter to a parent that has ended')
  }

  I6_rowsNeverChange(shadow: Shadow, key: string, existed: boolean): void {
    if (existed) this.breach('I6_rowsNeverChange', `${shadow.partition} ${key} was written again`)
  }

  I9_headCountsTheLog(shadow: Shadow, head: Head): void {
    if (head.seq === shadow.facts.length) return
    const message = `${shadow.partition}: the head says ${head.seq}, the log has ${shadow.facts.length}`
    this.breach('I9_headCountsTheLog', message)
  }

  I2_epochsAndLeases(shadow: Shadow, { head: was }: { head: Head }, now: Head): void {
    const name = shadow.partition
    if (now.epoch < was.epoch)
      this.breach('I2_epochsOnlyRise', `${name}: ${was.epoch} → ${now.epoch}`)
    const lease = was.lease
    if (!lease || lease.worker === now.lease?.worker) return
    const { schedule, processes, profile } = this.#sim
    const left = lease.until - (EPOCH + schedule.now)
    const holder = processes.find((one) => lease.worker.startsWith(`${one.name}:`))
    if (this.#holds(lease.worker)) return
    if (profile === 'node' && !holder) return
    // What has ended and owes nothing is held by nobody.
    if (!now.lease && now.wake_at === null) return
    const took = now.lease ? 'took' : 'freed'
    if (left > -5_000 + GRACE_MS) {
      this.breach(
        'I2_leasesAreRespected',
        `${name}: ${this.#committer?.name} ${took} the lease of ${lease.worker}, which had ${left} ms left`,
      )
    }
    if (!now.lease) return
    this.rare(holder?.alive ? 'taken over from a zombie' : 'taken over from the dead')
    const gaveUp = this.#gaveUp.delete(name)
    const calm = !gaveUp && holder?.alive && schedule.now - holder.troubledAt > 90_000
    if (calm && !this.#sim.skews) {
      this.breach('I18_theLivingKeepTheirRuns', `${name}: ${lease.worker} lives and lost its lease`)
    }
  }

  /** Rule 15: `run.cancelled` comes from whoever holds the run, or when nobody does. */
  I12_theHolderEndsIt(shadow: Shadow, was: Head): void {
    const ended = was.seq < shadow.facts.length && shadow.status === 'cancelled'
    if (!ended || !was.lease || this.#holds(was.lease.worker)) return
    const left = was.lease.until - (EPOCH + this.#sim.schedule.now)
    if (left < GRACE_MS || this.#sim.profile === 'node') return
    const message = `${shadow.partition}: cancelled by ${this.#committer?.name} under ${was.lease.worker}`
    this.breach('I12_theHolderEndsIt', message)
  }

  /** Rule 11: nobody else calls a call unknown that the holder of the run may be performing. */
  I8_theHolderJudges(shadow: Shadow, was: Head): void {
    if (!was.lease || this.#holds(was.lease.worker) || this.#sim.profile === 'node') return
    if (was.lease.until - (EPOCH + this.#sim.schedule.now) < GRACE_MS) return
    for (const fact of shadow.facts.slice(was.seq)) {
      if (fact.type !== 'tool.result' || fact.status !== 'unknown') continue
      if (shadow.calls.get(fact.call)?.intent !== was.epoch) continue
      this.breach(
        'I8_theHolderJudges',
        `${shadow.partition}: ${fact.call} under ${was.lease.worker}`,
      )
    }
  }

  /** Rule 16: every end but `completed` owes each child that may live its cancellation. */
  I12_anEndOwesItsCascade(shadow: Shadow, head: Head): void {
    if (!['failed', 'cancelled', 'timed_out'].includes(shadow.status)) return
    for (const call of shadow.calls.values()) {
      if (call.mode !== 'spawn' || (call.child ? call.announced : call.result)) continue
      if (head.debts.cancel.includes(call.id)) continue
      this.breach('I12_anEndOwesItsCascade', `${shadow.partition}: ${call.id} is left alone`)
    }
  }

  #holds(worker: string): boolean {
    return this.#committer !== undefined && worker.startsWith(`${this.#committer.name}:`)
  }

  /** Rule 9: what lives or owes has a time at which somebody looks again. */
  I15_alarmIsSet(shadow: Shadow, head: Head, write: HeadWrite): void {
    const { partition, status } = shadow
    const { debts } = head
    const told = debts.webhook.length === 0 && debts.events == null
    const owes = debts.parent || !told || debts.cancel.length > 0
    const live = !TERMINAL.has(status)
    if (!live && !owes) {
      if (write.alarm) this.breach('I15_restIsRest', `${partition} rests and has an alarm`)
      if (head.lease) this.breach('I15_noLeaseAtRest', `${partition} has ended and is leased`)
      return
    }
    const at = write.alarm?.at
    if (at === undefined) return this.breach('I15_alarmIsSet', `${partition} (${status}) has none`)
    if (at !== head.wake_at) this.breach('I15_alarmIsSet', `${partition}: not what the head says`)
    const now = EPOCH + this.#sim.schedule.now
    const waits = status === 'waiting' || this.#waitsForRoom(shadow)
    const parked = live && waits && shadow.cancelledAt === undefined && !owes
    const until = parked ? Math.max(now, this.#parkedUntil(shadow)) : now
    const most = until + (head.resends > 0 ? BACKOFF_MAX_MS : LOOK_MS) + GRACE_MS
    if (at > most) this.breach('I18_alarmIsNear', `${partition} (${status}): ${at - now} ms away`)
  }

  /** Rule 19: the next child follows when one of those that live has ended. */
  #waitsForRoom({ calls, spec }: Shadow): boolean {
    const open = [...calls.values()].filter(({ result }) => result === undefined)
    const living = [...calls.values()].filter((c) => c.child && !c.announced && !c.givenUp)
    const full = living.length >= (spec?.limits.live_children ?? 0)
    return full && open.length > 0 && open.every(({ mode }) => mode === 'spawn')
  }

  #parkedUntil(shadow: Shadow): number {
    if (shadow.waitingOn === 'retry') return shadow.waitingUntil ?? 0
    const seconds = shadow.spec?.join.deadline_seconds
    const end = (shadow.startedAt ?? 0) + shadow.timeout * 1000
    if (seconds == null || shadow.barrierSince === undefined) return end
    return Math.min(end, shadow.barrierSince + seconds * 1000)
  }

  I15_pendingDeliveryHasAnAlarm(partition: string, head: HeadWrite): void {
    const { delivery } = JSON.parse(head.body) as { delivery: { status: string } }
    if ((delivery.status === 'pending') === (head.alarm !== undefined)) return
    this.breach('I15_pendingDeliveryHasAnAlarm', `${partition} is ${delivery.status}`)
  }

  I22_noSecret(text: string, where: string): void {
    if (text.includes(CANARY)) this.breach('I22_noSecret', `a secret stands in ${where}`)
  }

  // ── At every operation and effect ────────────────────────────────────────────────────────────

  touched(process: Process, partition: string): void {
    // Readers go on asking while nobody is there to move anything.
    if (this.#sim.broker.down) return
    const count = (this.#hot.get(partition) ?? 0) + 1
    this.#hot.set(partition, count)
    if (count > HOT) {
      this.breach(
        'I18_nobodySpins',
        `${partition}: ${count} operations without a commit, ${process.name}`,
      )
    }
  }

  refused(process: Process, partition: string): void {
    const lease = this.#leases.get(partition)
    if (!lease) return
    const holder = lease.head.lease?.worker
    if (holder && !holder.startsWith(`${process.name}:`)) this.rare('zombie commit refused')
    else this.rare('commit refused')
  }

  /** The tick sent this partition again. */
  I18_theTickBacksOff(partition: string): void {
    const { now } = this.#sim.schedule
    // A letter that came too late is all that keeps it due.
    const status =
      this.runs.get(partition)?.status ?? this.fanouts.byPartition.get(partition)?.status
    if (TERMINAL.has(status ?? '')) return
    const known = this.#resent.get(partition) ?? { count: 0, since: now }
    known.count += 1
    this.#resent.set(partition, known)
    const minutes = (now - known.since) / 60_000
    const most = 10 + 2 * Math.log2(1 + minutes) + minutes / 7
    if (known.count > most) {
      this.breach(
        'I18_theTickBacksOff',
        `${partition} was sent ${known.count} times in ${minutes.toFixed(0)} min`,
      )
    }
  }

  wrote(key: string, body: Uint8Array): void {
    if (body.length < 200_000) this.I22_noSecret(Buffer.from(body).toString('latin1'), key)
  }

  asked(process: Process, request: ModelRequest): void {
    const plan = this.conversations.judge(request)
    const shadow = this.byPlan.get(plan)
    if (shadow) this.I12_cancelIsHeard(shadow, process, 'the model is asked')
  }

  I12_cancelIsHeard(shadow: Shadow, process: Process, what: string): void {
    const { now } = this.#sim.schedule
    if (shadow.cancelledAt === undefined || now - shadow.cancelledAt < 45_000) return
    if (now - process.troubledAt < 120_000) return
    this.breach('I12_cancelIsHeard', `${shadow.partition}: ${what} long after the cancel`)
  }

  /** A call leaves a process: the intent of a `once` call must be committed by then. */
  calls(process: Process, tool: string, given: Record<string, unknown>, key: string): void {
    const call = key.split('.')[0]!
    const shadow = this.callOwner.get(call)
    if (shadow) this.I12_cancelIsHeard(shadow, process, `${tool} is called`)
    if (tool !== 'pay') return
    if (shadow?.calls.get(call)?.intent === undefined) {
      this.breach('I8_intentBeforeOnce', `${tool} ${given.token} is called without an intent`)
    }
  }

  performed(tool: string, given: Record<string, unknown>, key: string): void {
    const token = String(given.token)
    const known = this.effects.get(token) ?? { count: 0, keys: new Set() }
    known.count += 1
    known.keys.add(key)
    this.effects.set(token, known)
    if (known.keys.size > 1) this.breach('I8_oneKeyPerCall', `${tool} ${token} came under two keys`)
    if (known.count > 1 && tool === 'pay') this.breach('I8_onceIsOnce', `${token} happened twice`)
    if (known.count > 1) this.rare('effect repeated under its key')
  }

  gotPost(request: WebRequest, answer: Outcome<WebAnswer, string>): void {
    this.I22_noSecret(JSON.stringify([request.headers, request.body]), request.url)
    const { type, data } = JSON.parse(request.body ?? '') as {
      type: string
      data: { run_id: string; seq: number }
    }
    const to = request.url === ENDPOINT_URL ? 'endpoint ' : ''
    const event = `${to}${data.run_id} ${data.seq}`
    const known = this.received.get(event) ?? { ids: new Set(), posts: 0, accepted: 0 }
    known.ids.add(request.headers['webhook-id'] ?? '')
    known.posts += 1
    if (answer.ok && answer.value.status >= 200 && answer.value.status < 300) known.accepted += 1
    this.received.set(event, known)
    if (known.accepted > 1) this.rare('event delivered twice')
    if (known.ids.size > 1) this.breach('I10_oneIdPerEvent', `${event} came under two ids`)
    const logs = [...this.runs.values(), ...this.fanouts.byPartition.values()]
    const log = logs.find(({ spec }) => spec?.id === data.run_id)
    if (log?.facts[data.seq - 1]?.type !== type) {
      this.breach('I10_onlyWhatIsCommitted', `${event} (${type}) was sent and is not in the log`)
    }
  }

  threw(process: Process, where: string, error: unknown): void {
    const { name, message } = error as Error
    this.#gaveUp.add(where)
    this.#sim.schedule.note(`    ${process.name} threw ${name}: ${message} (${where.slice(-20)})`)
    if (name === 'Throttled') return
    this.rare(`threw: ${message.replace(/\S*\/\S*|run_\w+/g, '…')}`)
    const weather = /nothing is there|without a gap|conflicts in a row/.test(message)
    if (!weather) this.breach('I17_noBugIsThrown', `${where}: ${(error as Error).stack}`)
  }
}
