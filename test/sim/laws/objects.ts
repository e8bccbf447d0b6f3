/**
 * Laws of the home of objects, where one object is the only worker of what it holds: nobody else
 * takes a lease there, what an object held when it died goes on with the next life, and a run that
 * kills its object takes none of its neighbours with it.
 */

import { childId } from '../../../src/core/run/decide/child.ts'
import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import { holderOf, workerOf } from '../../../src/hosts/cloudflare/bindings/address.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { isDisturbed, type Since, sinceNow } from '../world/calm.ts'
import { EPOCH, type Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

/** A look, an effect that lasts until its worker takes a lease, and the way to that. */
const TAKEN_MS = 25_000
/** The first so many children lie with a root. */
const TOGETHER = 4

interface Dead extends Since {
  readonly worker: string
}

export class ObjectLaws {
  readonly #sim: Sim
  /** Runs under a lease of a life that is over, since the next one began. */
  readonly #dead = new Map<string, Dead>()
  /** When each object was last struck by chance, and not by a run of its own. */
  readonly #struck = new Map<string, number>()

  readonly #killers = new Set<string>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** It dies by chance. */
  struck({ object }: Process): void {
    if (object !== undefined) this.#struck.set(object, this.#sim.schedule.now)
  }

  /** It dies of what this run has asked for. */
  kills(run: Shadow | undefined): void {
    if (run) this.#killers.add(run.partition)
  }

  /** An object that died lives again. */
  reborn(object: string): void {
    const { law } = this.#sim
    const holds = (partition: string): boolean => workerOf(partition) === object
    law.awake.reborn(holds)
    for (const { partition } of law.runs.values()) {
      const worker = law.holders.headOf(partition)?.lease?.worker
      if (worker === undefined || !holds(partition) || law.newer.has(partition)) continue
      this.#dead.set(partition, { ...sinceNow(this.#sim), worker })
    }
  }

  /** A head was written, with these facts. */
  wrote(shadow: Shadow, fresh: readonly RunFact[], { lease }: Head): void {
    const { partition } = shadow
    const dead = this.#dead.get(partition)
    if (dead && lease?.worker !== dead.worker) this.#dead.delete(partition)
    if (this.#sim.profile !== 'objects') return
    const { committer } = this.#sim.law.holders
    const isNew = lease && committer && lease.worker.startsWith(`${committer.name}:`)
    if (isNew && committer.object !== workerOf(partition)) {
      const message = `${partition} is leased by ${committer.name} of ${committer.object ?? 'none'}`
      this.#breach('I2_onlyItsObjectHolds', message)
    }
    for (const fact of fresh) {
      if (fact.type === 'run.created') this.#I5_kinLieTogether(shadow)
      if (fact.type === 'run.failed' && fact.error.code === 'poison')
        this.#I17_neighboursAreSpared(shadow)
    }
  }

  /** Before each event. */
  I18_theDeadHoldNothing(): void {
    const { now } = this.#sim.schedule
    for (const [partition, dead] of this.#dead) {
      if (now - dead.at <= TAKEN_MS) continue
      this.#dead.delete(partition)
      if (isDisturbed(this.#sim, dead) || this.#sim.law.newer.has(partition)) continue
      const message = `${partition} is still under ${dead.worker} after ${now - dead.at} ms`
      this.#breach('I18_theDeadHoldNothing', message)
    }
  }

  /** A root's first children lie where it lies, and everybody finds them there. */
  #I5_kinLieTogether({ partition, spec }: Shadow): void {
    const { parent, depth, id } = spec!
    const above = this.#sim.law.runs.get(`${partition.split('/')[0]}/run/${parent?.run_id}`)
    const call = above?.calls.get(parent?.call ?? '')
    if (!above?.spec || !call || depth !== 1) return
    this.#sim.rare('a child of kin')
    const { step } = call
    const asked = [...above.calls.values()].filter((one) => one.step === step)
    const index = asked.indexOf(call)
    if (id !== childId(above.spec, { step, index }))
      this.#breach('I5_kinLieTogether', `${partition} has another name than ${call.id} gives it`)
    const together = index < TOGETHER
    if (together && holderOf(partition) !== holderOf(above.partition))
      this.#breach('I5_kinLieTogether', `${partition} lies apart from ${above.partition}`)
  }

  /** Who kills nobody fails as poison only where chance killed its workers. */
  #I17_neighboursAreSpared({ partition }: Shadow): void {
    if (this.#killers.has(partition)) return
    const since = this.#sim.law.holders.headOf(partition)?.crashes?.since
    const struck = this.#struck.get(workerOf(partition)) ?? Number.NEGATIVE_INFINITY
    if (since === undefined || struck >= since - EPOCH - 10_000) return
    this.#breach('I17_neighboursAreSpared', `${partition} fails for what others have done`)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
