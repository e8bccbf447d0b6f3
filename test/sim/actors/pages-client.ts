/**
 * Whoever hands the pages of an open fan-out in: in any order, some twice, some at once with
 * themselves, and again when no answer came; then the seal, or none.
 */

import { type Known, tasksOf } from '../world/known.ts'
import type { Answer, Line } from '../world/line.ts'
import type { OpenFanout } from '../world/operations.ts'
import type { Sim } from '../world/sim.ts'

const ROUNDS = 4

export class Pages {
  readonly #sim: Sim
  readonly #line: Line
  readonly #known: Known
  readonly #plan: OpenFanout
  readonly #arrived = new Set<number>()

  constructor(sim: Sim, line: Line, known: Known, plan: OpenFanout) {
    this.#sim = sim
    this.#line = line
    this.#known = known
    this.#plan = plan
  }

  async handIn(): Promise<void> {
    const { order, pages, seal } = this.#plan
    for (const [at, { page, twice }] of order.entries()) {
      if (seal === 'early' && at === order.length - 1) await this.#seal('early')
      if (twice) void this.#ask(page).then((answer) => this.#heard(page, answer))
      await this.#heard(page, await this.#insist(page))
      await this.#line.sleep(this.#sim.chance.pick([0, 10, 500, 5_000]))
    }
    for (let round = 0; round < ROUNDS && this.#arrived.size < pages.length; round += 1) {
      for (const page of pages.keys()) {
        if (!this.#arrived.has(page)) await this.#heard(page, await this.#insist(page))
      }
    }
    // Who does not know whether all have come does not say so.
    if (seal === 'never' || this.#arrived.size < pages.length) return
    await this.#seal('whole')
    if (seal === 'twice') await this.#seal('whole')
  }

  #ask(page: number): Promise<Answer | undefined> {
    return this.#line.ask(this.#known.tenant, 'POST', this.#path('tasks'), this.#body(page))
  }

  #insist(page: number): Promise<Answer | undefined> {
    return this.#line.insist(8, this.#known.tenant, 'POST', this.#path('tasks'), this.#body(page))
  }

  #body(page: number) {
    return { page, tasks: tasksOf(this.#plan.pages[page]!) }
  }

  async #heard(page: number, answer: Answer | undefined): Promise<void> {
    if (!answer || answer.status >= 500) return
    const { law } = this.#sim
    if (answer.status === 202) {
      this.#arrived.add(page)
      law.fanouts.pages.acknowledged(this.#known.partition, page)
      const { replayed } = (await answer.response.json()) as { replayed: boolean }
      return this.#sim.rare(replayed ? 'a page came twice' : 'a page came')
    }
    if (answer.status === 409 && this.#isOver) return this.#sim.rare('a page came too late')
    law.breach('I11_validIsAccepted', `page ${page}: ${answer.status}`)
  }

  async #seal(when: 'early' | 'whole'): Promise<void> {
    const { partition, tenant } = this.#known
    const { law } = this.#sim
    const whole = this.#arrived.size === this.#plan.pages.length
    const body = { pages: this.#plan.pages.length }
    const path = this.#path('seal')
    const answer = await this.#line.insist(8, tenant, 'POST', path, body)
    if (!answer || answer.status >= 500) return this.#sim.rare('a seal was lost')
    if (answer.status === 200) return law.fanouts.pages.sealed(partition)
    if (answer.status === 409 && (this.#isOver || (when === 'early' && !whole))) {
      return this.#sim.rare('a seal was refused')
    }
    law.breach('I11_validIsAccepted', `the seal: ${answer.status}`)
  }

  /** It takes no more pages, because it was cancelled, gave up, or has ended. */
  get #isOver(): boolean {
    const shadow = this.#sim.law.fanouts.byPartition.get(this.#known.partition)
    return shadow?.status !== 'running' || shadow?.cancelled || shadow.missing !== undefined
  }

  #path(last: 'tasks' | 'seal'): string {
    return `/v1/fanouts/${this.#known.id}/${last}`
  }
}
