/**
 * What still begins after an acknowledged cancel (I12). Whoever is at it hears of it with its next
 * commit, at the latest with its next renewal of the lease; where nothing goes wrong that is soon.
 */

import type { Shadow } from '../shadow/shadow.ts'
import type { Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

/** Its cause is committed first, and that commit would meet the cancel. */
const CAUSED_MS = 5_000
/** A model may be asked on results that are not committed yet: until the lease is renewed. */
const RENEWED_MS = 25_000
/** Whatever went wrong. */
const LATEST_MS = 45_000
/** Of a process that was disturbed: its lease may have to end. */
const TROUBLED_MS = 120_000
/** What went wrong just before is felt just after. */
const FELT_MS = 5_000

export class Cancels {
  readonly #sim: Sim
  /** Faults of the world so far, when the cancel was committed. */
  readonly #faults = new Map<Shadow, number>()
  /** Under whose lease it was committed. */
  readonly #held = new Map<Shadow, string>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  requested(shadow: Shadow): void {
    this.#faults.set(shadow, this.#sim.faults.total)
    const { lease } = this.#sim.law.holders.headOf(shadow.partition) ?? {}
    const left = this.#sim.law.holders.hasGivenUp(shadow.partition)
    if (lease && !left) this.#held.set(shadow, lease.worker)
  }

  /** Rule 15: who holds the run gives up what is under way, however long that would have taken. */
  I12_theHolderStops(shadow: Shadow): void {
    const { law, schedule } = this.#sim
    const { cancelledAt, partition } = shadow
    const { committer } = law.holders
    const worker = law.holders.headOf(partition)?.lease?.worker
    if (cancelledAt === undefined || !committer || !worker) return
    const same = worker === this.#held.get(shadow) && worker.startsWith(`${committer.name}:`)
    const after = schedule.now - cancelledAt
    // What goes wrong elsewhere does not keep it from renewing its lease.
    const troubled = this.#sim.inject || committer.troubledAt > cancelledAt - FELT_MS
    if (!same || troubled || after < RENEWED_MS) return
    const message = `${partition}: ${committer.name} stops ${after} ms after the cancel`
    law.breach('I12_theHolderStops', message)
  }

  I12_toolsHearOfIt(shadow: Shadow, process: Process, tool: string): void {
    this.#judge('I12_cancelIsHeard', shadow, process, { what: `${tool} is called`, ms: CAUSED_MS })
  }

  I12_modelsHearOfIt(shadow: Shadow, process: Process): void {
    const begun = { what: 'the model is asked', ms: RENEWED_MS }
    this.#judge('I12_cancelIsHeard', shadow, process, begun)
  }

  /** The parent's spawns are effects like others. */
  I12_noBirthAfterTheCancel(parent: Shadow, child: Shadow, process: Process | undefined): void {
    const begun = { what: `${child.spec?.id} is born`, ms: CAUSED_MS }
    if (process) this.#judge('I12_noBirthAfterTheCancel', parent, process, begun)
  }

  #judge(
    law: string,
    shadow: Shadow,
    process: Process,
    { what, ms }: { readonly what: string; readonly ms: number },
  ): void {
    const { cancelledAt, partition } = shadow
    if (cancelledAt === undefined) return
    const { now } = this.#sim.schedule
    const after = now - cancelledAt
    const most = this.#isCalm(shadow, process, cancelledAt) ? ms : LATEST_MS
    if (after < most) return
    if (most === LATEST_MS && now - process.troubledAt < TROUBLED_MS) return
    this.#sim.law.breach(law, `${partition}: ${what} ${after} ms after the cancel`)
  }

  #isCalm(shadow: Shadow, { alive, troubledAt }: Process, since: number): boolean {
    const { inject, faults } = this.#sim
    if (inject || !alive || troubledAt > since - FELT_MS) return false
    return faults.total === this.#faults.get(shadow)
  }
}
