/** The line between a client and the API: connections break, answers are lost, patience ends. */

import { actingFor } from '../laws/tenancy.ts'
import { short } from './names.ts'
import type { Process } from './process.ts'
import type { Sim } from './sim.ts'

const PATIENCE_MS = 90_000

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
    return new Promise((resolve) => {
      const forget = process.onDeath(() => resolve(undefined))
      schedule.after(PATIENCE_MS, null, '', () => resolve(undefined))
      const asked = actingFor(tenant, () => process.app.request(path, init))
      Promise.resolve(asked).then((response) => {
        forget()
        schedule.note(`    ${process.name} ${method} ${short(path)} → ${response.status}`)
        // Who is refused because the tenant is suspended asks again later, as after a lost answer.
        const isSuspended = this.#sim.halts && response.status === 403
        const answer = { status: response.status, response, process }
        const arrive = (): void => resolve(lost || isSuspended ? undefined : answer)
        if (this.#sim.twins) void this.#judged(tenant, path, response).then(arrive)
        else arrive()
      })
    })
  }

  /** What a tenant is answered tells nothing of another one, besides the path that it asked for. */
  async #judged(tenant: string, path: string, response: Response): Promise<void> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return
    const text = await response.clone().text()
    const { belongings } = this.#sim.law
    belongings.I19_nothingOfAnother(tenant, text.replaceAll(path, ''), `the answer to ${path}`)
  }

  /** Asks until something other than silence or a server's trouble comes; undefined: never. */
  async insist(tries: number, ...request: Parameters<Line['ask']>): Promise<Answer | undefined> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const answer = await this.ask(...request)
      if (answer && answer.status < 500) return answer
      await this.sleep(2_000)
    }
    return undefined
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#sim.schedule.after(ms, null, '', resolve))
  }
}
