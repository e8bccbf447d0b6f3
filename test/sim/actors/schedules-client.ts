/**
 * Who writes a schedule, perhaps twice, changes its input on the way, fires it by hand, and deletes
 * it when all of its slots are over. Its runs are planned like any other, named by their slots.
 */

import type { Line } from '../world/line.ts'
import type { ScheduleOperation } from '../world/operations.ts'
import { EPOCH } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

const MINUTE = 60_000
/** Longer than faults last, and everything that they have delayed. */
const OVER_MS = 110 * MINUTE
/** A fire that finds no room within the tenant's limits is tried for an hour, and then the next one. */
const TRIED_MS = 70 * MINUTE

export class ScheduleClient {
  readonly #sim: Sim
  readonly #line: Line
  readonly #of: ScheduleOperation

  constructor(sim: Sim, line: Line, of: ScheduleOperation) {
    this.#sim = sim
    this.#line = line
    this.#of = of
  }

  async live(): Promise<void> {
    const { tenant, name, twice, edits, byHand, slots } = this.#of
    const path = `/v1/schedules/${name}`
    const body = this.#body()
    const put = () => this.#line.insist(12, tenant, 'PUT', path, body)
    const [made, again] = await Promise.all([put(), twice ? put() : undefined])
    for (const answer of [made, again]) {
      if (answer && answer.status !== 200 && answer.status !== 201)
        this.#sim.law.breach('I11_validIsAccepted', `${answer.status} of ${path}`)
    }
    if (edits !== undefined) {
      await this.#line.sleep(edits)
      const change = { input: this.#input('e') }
      await this.#line.insist(12, tenant, 'PATCH', path, change)
    }
    if (byHand !== undefined) {
      await this.#line.sleep(byHand)
      const key = { 'idempotency-key': `by-hand-of-${name}` }
      await this.#line.insist(6, tenant, 'POST', `${path}/run`, undefined, key)
    }
    const tried = this.#sim.law.limits.isLimited(tenant) ? (slots + 2) * TRIED_MS : 0
    await this.#line.sleep((slots + 1) * MINUTE + OVER_MS + tried)
    const gone = await this.#line.insist(60, tenant, 'DELETE', path)
    if (gone && gone.status !== 204 && gone.status !== 404)
      this.#sim.law.breach('I11_validIsAccepted', `${gone.status} of a deletion of ${path}`)
  }

  #body() {
    const { overlap, catch_up, slots } = this.#of
    // Between two slots, so that both clocks of a pair agree on which is the last.
    const ends = EPOCH + this.#sim.schedule.now + (slots + 0.5) * MINUTE
    return {
      every: 60,
      ends_at: new Date(ends).toISOString(),
      overlap,
      catch_up,
      catch_up_window_seconds: 604_800,
      input: this.#input('p'),
    }
  }

  /** A plan whose names differ by slot, because one plan is one run. */
  #input(edit: string): string {
    const { name, plan } = this.#of
    const text = JSON.stringify({ ...plan, id: '@' })
    return text.replaceAll('@', `${name}${edit}-{{slot}}`)
  }
}
