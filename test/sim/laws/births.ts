/** Who may come into being: one run for each plan, below a parent that may still have it. */

import { isFanoutId } from '../../../src/core/run/decide/child.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import type { Sim } from '../world/sim.ts'

export class Births {
  readonly byPlan = new Map<string, Shadow>()
  readonly #planOf = new Map<Shadow, string>()
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
  }

  planOf(run: Shadow): string | undefined {
    return this.#planOf.get(run)
  }

  I5_onePlanOneRun(shadow: Shadow): void {
    const input = shadow.spec?.input[0]?.text
    const text = typeof input === 'string' ? input : (input?.preview ?? '')
    const plan = /^\{"id":"([^"]+)"/.exec(text)?.[1]
    // A tombstone has no task.
    if (plan === undefined) return
    const other = this.byPlan.get(plan)
    if (other)
      this.#breach('I5_onePlanOneRun', `${plan} became ${other.partition} and ${shadow.partition}`)
    this.byPlan.set(plan, shadow)
    this.#planOf.set(shadow, plan)
    const parent = shadow.spec?.parent
    if (!parent) return
    if (isFanoutId(parent.run_id)) return this.#sim.law.fanouts.born(shadow)
    const above = this.parentOf(shadow)
    if (!above) this.#breach('I19_oneTenant', `${shadow.partition} has a parent in another tenant`)
    else this.I4_childrenAreBounded(above)
    if (!above) return
    this.I12_noBirthAfterTheCascade(above, parent.call)
    const { cancels, holders } = this.#sim.law
    cancels.I12_noBirthAfterTheCancel(above, shadow, holders.committer)
  }

  /** Rule 16: once a child counts as cancelled, a creation that was on its way must lose. */
  I12_noBirthAfterTheCascade(parent: Shadow, call: string): void {
    if (!['failed', 'cancelled', 'timed_out'].includes(parent.status)) return
    const outbox = this.#headOf(parent)?.outbox.cancel ?? []
    if (outbox.includes(call)) return
    this.#breach('I12_noBirthAfterTheCascade', `${parent.partition}: ${call} is born too late`)
  }

  parentOf({ partition, spec }: Shadow): Shadow | undefined {
    return spec?.parent ? this.#run(partition.split('/')[0]!, spec.parent.run_id) : undefined
  }

  #run(tenant: string, id: string): Shadow | undefined {
    return this.#sim.law.runs.get(`${tenant}/run/${id}`)
  }

  /** Rule 19: so many children of one parent live at once, and no more. */
  I4_childrenAreBounded(parent: Shadow): void {
    let living = 0
    for (const child of this.#sim.law.runs.values()) {
      const link = child.spec?.parent
      if (link?.run_id !== parent.spec?.id || TERMINAL.has(child.status)) continue
      if (!parent.calls.get(link?.call ?? '')?.givenUp) living += 1
    }
    const most = parent.spec?.limits.live_children ?? 0
    if (living > most)
      this.#breach('I4_childrenAreBounded', `${parent.partition}: ${living} of ${most}`)
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
      this.#breach('I15_nobodyWaitsForTheDead', `${parent.partition} waited for ${dead.child}`)
  }

  #headOf({ partition }: Shadow): Head | undefined {
    return this.#sim.law.holders.headOf(partition)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
