/** Who holds a run, and what others may do to it meanwhile: epochs, leases, the right to judge. */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import { workerOf } from '../../../src/hosts/cloudflare/bindings/address.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import { EPOCH, type Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import { owes } from './retention.ts'

/** Clocks are wrong by five seconds at most, and a lease counts as dead five seconds late. */
export const GRACE_MS = 11_000
/** A lease counts as dead only so long after its end. */
const DEAD_MS = 5_000

export class Holders {
  readonly #sim: Sim
  #committer: Process | undefined
  readonly #heads = new Map<string, Head>()
  /** Partitions that a worker left by throwing: its lease then says nothing. */
  readonly #gaveUp = new Set<string>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  headOf(partition: string): Head | undefined {
    return this.#heads.get(partition)
  }

  /** Whoever sent what is just committed has died since: nobody goes on from there. */
  get orphaned(): boolean {
    return this.#committer?.alive === false
  }

  /** Whose commit is applied just now. */
  get committer(): Process | undefined {
    return this.#committer
  }

  /** What happens inside is this process's commit. */
  by<T>(process: Process, act: () => T): T {
    this.#committer = process
    try {
      return act()
    } finally {
      this.#committer = undefined
    }
  }

  gaveUp(partition: string): void {
    this.#gaveUp.add(partition)
  }

  /** Whether nobody acts under its lease any more, though the process lives. */
  hasGivenUp(partition: string): boolean {
    return this.#gaveUp.has(partition)
  }

  /** A commit wrote this head; what it was before is what the committer was bound by. */
  wrote(shadow: Shadow, now: Head): void {
    const was = this.#heads.get(shadow.partition)
    this.#heads.set(shadow.partition, now)
    if (!was) return
    this.I12_theHolderEndsIt(shadow, was)
    this.I8_theHolderJudges(shadow, was)
    this.I17_factsForgetLooks(shadow, was, now)
    this.I2_epochsAndLeases(shadow, was, now)
    this.I15_lookedAtWhenItsHolderIsDead(shadow, was, now)
    if (was.seq < now.seq) this.I12_anEndOwesItsCascade(shadow, now)
    this.I12_cancelRestIsOwed(shadow, shadow.facts.slice(was.seq), now)
  }

  refused(process: Process, partition: string): void {
    const head = this.#heads.get(partition)
    if (!head) return
    const holder = head.lease?.worker
    const zombie = holder && !holder.startsWith(`${process.name}:`)
    this.#sim.rare(zombie ? 'zombie commit refused' : 'commit refused')
  }

  I2_epochsAndLeases(shadow: Shadow, was: Head, now: Head): void {
    const name = shadow.partition
    if (now.epoch < was.epoch)
      this.#breach('I2_epochsOnlyRise', `${name}: ${was.epoch} → ${now.epoch}`)
    const lease = was.lease
    if (!lease || lease.worker === now.lease?.worker) return
    const { schedule, processes, profile } = this.#sim
    const left = lease.until - (EPOCH + schedule.now)
    const holder = processes.find((one) => lease.worker.startsWith(`${one.name}:`))
    if (this.#holds(lease.worker)) return
    if ((profile === 'node' || this.#isItsObject(name)) && !holder) return
    // What has ended and owes nothing is held by nobody.
    if (!now.lease && TERMINAL.has(shadow.status) && !owes(now.outbox)) return
    this.I2_deadByTheTakersClock(name, lease)
    const took = now.lease ? 'took' : 'freed'
    if (left > -5_000 + GRACE_MS) {
      this.#breach(
        'I2_leasesAreRespected',
        `${name}: ${this.#committer?.name} ${took} the lease of ${lease.worker}, which had ${left} ms left`,
      )
    }
    if (!now.lease) return
    this.#sim.rare(holder?.alive ? 'taken over from a zombie' : 'taken over from the dead')
    const gaveUp = this.#gaveUp.delete(name)
    const calm = !gaveUp && holder?.alive && schedule.now - holder.troubledAt > 90_000
    if (calm && !this.#sim.skews) {
      this.#breach(
        'I18_theLivingKeepTheirRuns',
        `${name}: ${lease.worker} lives and lost its lease`,
      )
    }
  }

  /** Rule 12: whoever takes it has seen it dead, however wrong its clock is. */
  I2_deadByTheTakersClock(name: string, lease: NonNullable<Head['lease']>): void {
    const left = lease.until + DEAD_MS - this.#clock
    if (left <= 0 || this.#sim.profile === 'node') return
    const message = `${name}: ${this.#committer?.name} sees the lease of ${lease.worker} die in ${left} ms`
    this.#breach('I2_deadByTheTakersClock', message)
  }

  /** Who looks and finds it held comes back when that lease counts no more (rules 12, 31). */
  I15_lookedAtWhenItsHolderIsDead({ partition }: Shadow, was: Head, now: Head): void {
    const { lease } = was
    const same = lease && now.lease?.worker === lease.worker && now.lease.until === lease.until
    if (!same || now.seq !== was.seq || now.wake_at === was.wake_at) return
    const sentAgain = was.redeliveries === 0 && now.redeliveries === 1
    const counted = was.crashes?.count !== now.crashes?.count
    const dead = lease.until + DEAD_MS
    // Whoever was late by the clock of the store may have seen it dead, and then a minute is right.
    if ((!sentAgain && !counted) || dead <= this.#clock || now.wake_at === dead) return
    const off = (now.wake_at ?? 0) - dead
    const message = `${partition}: somebody looks ${off} ms after ${lease.worker} counts as dead`
    this.#breach('I15_lookedAtWhenItsHolderIsDead', message)
  }

  /** What whoever commits thinks the time is. */
  get #clock(): number {
    return EPOCH + this.#sim.schedule.now + (this.#committer?.skew ?? 0)
  }

  /** Rule 15: `run.cancelled` comes from whoever holds the run, or when nobody does. */
  I12_theHolderEndsIt(shadow: Shadow, was: Head): void {
    const ended = was.seq < shadow.facts.length && shadow.status === 'cancelled'
    if (!ended || !was.lease || this.#holds(was.lease.worker)) return
    const left = was.lease.until - (EPOCH + this.#sim.schedule.now)
    if (left < GRACE_MS || this.#isAlone(shadow.partition)) return
    const message = `${shadow.partition}: cancelled by ${this.#committer?.name} under ${was.lease.worker}`
    this.#breach('I12_theHolderEndsIt', message)
  }

  /** Rule 11: nobody else calls a call unknown that the holder of the run may be performing. */
  I8_theHolderJudges(shadow: Shadow, was: Head): void {
    if (!was.lease || this.#holds(was.lease.worker) || this.#isAlone(shadow.partition)) return
    if (was.lease.until - (EPOCH + this.#sim.schedule.now) < GRACE_MS) return
    for (const fact of shadow.facts.slice(was.seq)) {
      if (fact.type !== 'tool.result' || fact.status !== 'unknown') continue
      if (shadow.calls.get(fact.call)?.intent !== was.epoch) continue
      this.#breach(
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
      if (head.outbox.cancel.includes(call.id)) continue
      this.#breach('I12_anEndOwesItsCascade', `${shadow.partition}: ${call.id} is left alone`)
    }
  }

  /** Rule 34: a fact by who holds the run proves that it kills nobody. */
  I17_factsForgetLooks({ partition }: Shadow, was: Head, now: Head): void {
    const { lease } = now
    const holds = lease && this.#holds(lease.worker) && lease.until !== was.lease?.until
    if (!holds || now.seq === was.seq || !now.crashes) return
    this.#breach('I17_factsForgetLooks', `${partition}: ${JSON.stringify(now.crashes)} are kept`)
  }

  /** Rule 17: who goes on without some of its children owes them their cancellation, if it said so. */
  I12_cancelRestIsOwed(shadow: Shadow, fresh: readonly RunFact[], head: Head): void {
    if (!shadow.spec?.join.cancel_rest) return
    for (const fact of fresh) {
      if (fact.type !== 'barrier.released') continue
      const left = fact.missing.find((call) => !head.outbox.cancel.includes(call))
      if (left) this.#breach('I12_cancelRestIsOwed', `${shadow.partition}: ${left} works on`)
    }
  }

  /** Who commits is the only worker that there is for it: leases of its dead are void at once. */
  #isAlone(partition: string): boolean {
    return this.#sim.profile === 'node' || this.#isItsObject(partition)
  }

  #isItsObject(partition: string): boolean {
    return this.#committer?.object !== undefined && this.#committer.object === workerOf(partition)
  }

  #holds(worker: string): boolean {
    return this.#committer !== undefined && worker.startsWith(`${this.#committer.name}:`)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
