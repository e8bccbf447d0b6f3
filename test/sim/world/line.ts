/** The line between a client and the API: connections break, answers are lost, patience ends. */

import { actingFor } from '../laws/tenancy.ts'
import { short } from './names.ts'
import type { Process } from './process.ts'
import type { Sim } from './sim.ts'

const PATIENCE_MS = 90_000
/** Whoever is refused by a limit comes so often again, less often as time goes by. */
const ROUNDS = 60
const MOST_MS = 120_000

export interface Answer {
  readonly status: number
  readonly response: Response
  readonly process: Process
}

export class Line {
  readonly #sim: Sim
  readonly #keys: Readonly<Record<string, string>>

  constructor(sim: Sim, keys: Readonly<Record<string, string>>) {
    this.#sim = sim
    this.#keys = keys
  }

  /** One request to whichever process is there; undefined when no answer came. */
  async ask(
    tenant: string,
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const { chance, schedule, faults } = this.#sim
    const doors = this.#sim.doors.filter((one) => one.alive && one.pausedUntil <= schedule.now)
    if (doors.length === 0) return undefined
    const process = chance.pick(doors)
    const headers = { authorization: `Bearer ${this.#keys[tenant]}`, ...more }
    const init: RequestInit = { method, headers }
    if (body !== undefined) {
      init.body = JSON.stringify(body)
      init.headers = { ...headers, 'content-type': 'application/json' }
    }
    const lost = faults.strikes('client lost answer')
    const { limits } = this.#sim.law
    const since = limits.asks(tenant)
    return new Promise((resolve) => {
      const forget = process.onDeath(() => resolve(undefined))
      schedule.after(PATIENCE_MS, null, '', () => resolve(undefined))
      const asked = actingFor(tenant, () => process.app.request(path, init))
      Promise.resolve(asked).then((response) => {
        forget()
        schedule.note(`    ${process.name} ${method} ${short(path)} → ${response.status}`)
        if (response.status === 429) void limits.refused(since, tenant, response.clone())
        resolve(lost ? undefined : { status: response.status, response, process })
      })
    })
  }

  /** Asks until something other than silence, trouble or a limit comes; undefined: never. */
  async insist(tries: number, ...request: Parameters<Line['ask']>): Promise<Answer | undefined> {
    let rounds = 0
    for (let attempt = 0; attempt < tries; ) {
      const answer = await this.ask(...request)
      if (answer?.status === 429) {
        if (!(await this.waits(answer, rounds++))) return undefined
        continue
      }
      if (answer && answer.status < 500) return answer
      attempt += 1
      await this.sleep(2_000)
    }
    return undefined
  }

  /** Until it is worth to ask again after a refusal by a limit; false: the client gives up. */
  async waits({ response }: Answer, round: number): Promise<boolean> {
    const { chance } = this.#sim
    const wait = Number(response.headers.get('retry-after') ?? 0) * 1_000
    if (round >= ROUNDS || (wait > MOST_MS && chance.flip(0.3))) {
      this.#sim.rare('a client gives up at a limit')
      return false
    }
    if (wait > MOST_MS) this.#sim.rare('a client waits for a new day')
    const pause = Math.min(MOST_MS, Math.round(1_000 * 1.3 ** round))
    await this.sleep(wait > 0 ? wait + chance.pick([0, 0, 700, 4_000]) : pause)
    return true
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#sim.schedule.after(ms, null, '', resolve))
  }
}
